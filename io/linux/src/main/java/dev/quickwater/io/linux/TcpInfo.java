package dev.quickwater.io.linux;

import java.time.Duration;

/// The kernel's measurements of a TCP connection (`struct tcp_info`) at the time of the call.
///
/// @param state the state of RFC 9293
/// @param roundTrip times
/// @param window sizes
/// @param traffic bytes since the connection was made
/// @param loss segments
public record TcpInfo(State state, RoundTrip roundTrip, Window window, Traffic traffic, Loss loss) {

  /// The states of RFC 9293, in the order of the kernel's numbers, which begin with 1.
  public enum State {
    ESTABLISHED,
    SYN_SENT,
    SYN_RECEIVED,
    FIN_WAIT_1,
    FIN_WAIT_2,
    TIME_WAIT,
    CLOSED,
    CLOSE_WAIT,
    LAST_ACK,
    LISTEN,
    CLOSING,
    NEW_SYN_RECEIVED;

    private static final State[] ALL = values();

    static State of(int number) {
      return number >= 1 && number <= ALL.length ? ALL[number - 1] : CLOSED;
    }
  }

  /// Times of the connection; zero before the first measurement.
  ///
  /// @param smoothed the smoothed round-trip time
  /// @param variance its mean deviation
  /// @param minimum the smallest measured round-trip time
  /// @param retransmissionTimeout time after which an unacknowledged segment is sent again
  public record RoundTrip(
      Duration smoothed, Duration variance, Duration minimum, Duration retransmissionTimeout) {}

  /// Limits of the data in flight.
  ///
  /// @param congestion the congestion window, in segments
  /// @param slowStartThreshold the slow-start threshold, in segments
  /// @param segmentSize the largest segment that is sent, in bytes
  /// @param pathMtu the largest packet of the path, in bytes
  /// @param peerReceives the peer's window in bytes, 0 on kernels before 5.4
  public record Window(
      long congestion, long slowStartThreshold, int segmentSize, int pathMtu, long peerReceives) {}

  /// Bytes of the stream.
  ///
  /// @param acknowledged bytes that the peer has acknowledged
  /// @param received bytes received in order
  /// @param notSent bytes that wait for their first transmission
  /// @param deliveryRate the latest rate of delivery, in bytes per second
  public record Traffic(long acknowledged, long received, long notSent, long deliveryRate) {}

  /// Segments that went missing.
  ///
  /// @param unacknowledged segments in flight
  /// @param lost segments that the kernel considers lost
  /// @param retransmitted segments in flight that were sent again
  /// @param retransmissions segments sent again since the connection was made
  public record Loss(long unacknowledged, long lost, long retransmitted, long retransmissions) {}
}
