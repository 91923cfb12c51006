package dev.quickwater.channel;

import java.net.SocketOption;
import java.time.Duration;
import java.util.Map;

/// The settings of a channel; immutable, checked when created.
///
/// @param writes limits of the bytes that wait to be sent
/// @param reads sizes of reads
/// @param timeouts how long to wait for the peer
/// @param sockets options of the system's sockets
/// @param halfClose true to keep the channel open when the peer ends its direction
public record ChannelSettings(
    WriteLimits writes,
    ReadLimits reads,
    ChannelTimeouts timeouts,
    SocketSettings sockets,
    boolean halfClose) {

  /// The defaults of all topics; the channel closes when the peer ends its direction.
  public static final ChannelSettings DEFAULT =
      new ChannelSettings(
          WriteLimits.DEFAULT,
          ReadLimits.DEFAULT,
          ChannelTimeouts.DEFAULT,
          SocketSettings.DEFAULT,
          false);

  /// The defaults for datagram channels: without socket options.
  public static final ChannelSettings DATAGRAM =
      DEFAULT.withSockets(new SocketSettings(SocketSettings.DEFAULT.backlog(), Map.of()));

  /// The defaults for Unix sockets: without socket options, because the default option is one of
  /// TCP.
  public static final ChannelSettings UNIX = DATAGRAM;

  /// These settings with other write limits.
  public ChannelSettings withWrites(WriteLimits limits) {
    return new ChannelSettings(limits, reads, timeouts, sockets, halfClose);
  }

  /// These settings with other read limits.
  public ChannelSettings withReads(ReadLimits limits) {
    return new ChannelSettings(writes, limits, timeouts, sockets, halfClose);
  }

  /// These settings with other timeouts.
  public ChannelSettings withTimeouts(ChannelTimeouts other) {
    return new ChannelSettings(writes, reads, other, sockets, halfClose);
  }

  /// These settings with other socket settings.
  public ChannelSettings withSockets(SocketSettings other) {
    return new ChannelSettings(writes, reads, timeouts, other, halfClose);
  }

  /// These settings, with half-closed channels kept open or not.
  public ChannelSettings withHalfClose(boolean keepOpen) {
    return new ChannelSettings(writes, reads, timeouts, sockets, keepOpen);
  }

  /// These settings with other water marks.
  public ChannelSettings withWaterMarks(int low, int high) {
    return withWrites(new WriteLimits(low, high, writes.hardLimit()));
  }

  /// These settings with another hard limit.
  public ChannelSettings withHardLimit(long bytes) {
    return withWrites(new WriteLimits(writes.lowWaterMark(), writes.highWaterMark(), bytes));
  }

  /// These settings with receive buffers of other sizes.
  public ChannelSettings withReadSize(int min, int max) {
    return withReads(new ReadLimits(reads.readsPerTurn(), min, max));
  }

  /// These settings with another stall timeout.
  public ChannelSettings withStallTimeout(Duration timeout) {
    return withTimeouts(new ChannelTimeouts(timeout, timeouts.connectTimeout()));
  }

  /// These settings with another connect timeout.
  public ChannelSettings withConnectTimeout(Duration timeout) {
    return withTimeouts(new ChannelTimeouts(timeouts.stallTimeout(), timeout));
  }

  /// These settings with another backlog.
  public ChannelSettings withBacklog(int connections) {
    return withSockets(new SocketSettings(connections, sockets.options()));
  }

  /// These settings with one more socket option.
  public <T> ChannelSettings withOption(SocketOption<T> option, T value) {
    return withSockets(sockets.withOption(option, value));
  }
}
