package dev.quickwater.io.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/// The fields of `struct tcp_info` (linux/tcp.h) that [TcpInfo] reads. A kernel with fewer fields
/// leaves the others zero; fields are only added at the end.
final class TcpInfoLayout {

  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          JAVA_BYTE.withName("state"),
          MemoryLayout.paddingLayout(7),
          JAVA_INT.withName("rto"),
          JAVA_INT.withName("ato"),
          JAVA_INT.withName("snd_mss"),
          JAVA_INT.withName("rcv_mss"),
          JAVA_INT.withName("unacked"),
          JAVA_INT.withName("sacked"),
          JAVA_INT.withName("lost"),
          JAVA_INT.withName("retrans"),
          JAVA_INT.withName("fackets"),
          MemoryLayout.sequenceLayout(4, JAVA_INT).withName("last_times"),
          JAVA_INT.withName("pmtu"),
          JAVA_INT.withName("rcv_ssthresh"),
          JAVA_INT.withName("rtt"),
          JAVA_INT.withName("rttvar"),
          JAVA_INT.withName("snd_ssthresh"),
          JAVA_INT.withName("snd_cwnd"),
          JAVA_INT.withName("advmss"),
          JAVA_INT.withName("reordering"),
          JAVA_INT.withName("rcv_rtt"),
          JAVA_INT.withName("rcv_space"),
          JAVA_INT.withName("total_retrans"),
          JAVA_LONG.withName("pacing_rate"),
          JAVA_LONG.withName("max_pacing_rate"),
          JAVA_LONG.withName("bytes_acked"),
          JAVA_LONG.withName("bytes_received"),
          JAVA_INT.withName("segs_out"),
          JAVA_INT.withName("segs_in"),
          JAVA_INT.withName("notsent_bytes"),
          JAVA_INT.withName("min_rtt"),
          JAVA_INT.withName("data_segs_in"),
          JAVA_INT.withName("data_segs_out"),
          JAVA_LONG.withName("delivery_rate"),
          MemoryLayout.sequenceLayout(3, JAVA_LONG).withName("limited_times"),
          JAVA_INT.withName("delivered"),
          JAVA_INT.withName("delivered_ce"),
          JAVA_LONG.withName("bytes_sent"),
          JAVA_LONG.withName("bytes_retrans"),
          JAVA_INT.withName("dsack_dups"),
          JAVA_INT.withName("reord_seen"),
          JAVA_INT.withName("rcv_ooopack"),
          JAVA_INT.withName("snd_wnd"));

  private TcpInfoLayout() {}

  static TcpInfo read(MemorySegment info) {
    return new TcpInfo(
        TcpInfo.State.of(info.get(JAVA_BYTE, 0)),
        new TcpInfo.RoundTrip(
            micros(info, "rtt"), micros(info, "rttvar"), minimum(info), micros(info, "rto")),
        new TcpInfo.Window(
            number(info, "snd_cwnd"),
            number(info, "snd_ssthresh"),
            (int) number(info, "snd_mss"),
            (int) number(info, "pmtu"),
            number(info, "snd_wnd")),
        new TcpInfo.Traffic(
            info.get(JAVA_LONG, offset("bytes_acked")),
            info.get(JAVA_LONG, offset("bytes_received")),
            number(info, "notsent_bytes"),
            info.get(JAVA_LONG, offset("delivery_rate"))),
        new TcpInfo.Loss(
            number(info, "unacked"),
            number(info, "lost"),
            number(info, "retrans"),
            number(info, "total_retrans")));
  }

  private static long offset(String field) {
    return LAYOUT.byteOffset(PathElement.groupElement(field));
  }

  private static long number(MemorySegment info, String field) {
    return Integer.toUnsignedLong(info.get(JAVA_INT, offset(field)));
  }

  private static Duration micros(MemorySegment info, String field) {
    return Duration.of(number(info, field), ChronoUnit.MICROS);
  }

  /// All ones before the first measurement.
  private static Duration minimum(MemorySegment info) {
    return info.get(JAVA_INT, offset("min_rtt")) == -1 ? Duration.ZERO : micros(info, "min_rtt");
  }
}
