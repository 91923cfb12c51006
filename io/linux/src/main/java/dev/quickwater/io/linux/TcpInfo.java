package dev.quickwater.io.linux;

import java.time.Duration;

/// What the kernel has measured of a TCP connection (`struct tcp_info`), at the time of the call.
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

  /// Times of the connection; zero if nothing was measured yet.
  ///
  /// @param smoothed the smoothed round-trip time
  /// @param variance its mean deviation
  /// @param minimum the smallest that was seen
  /// @param retransmissionTimeout after which an unacknowledged segment is sent again
  public record RoundTrip(
      Duration smoothed, Duration variance, Duration minimum, Duration retransmissionTimeout) {}

  /// What may be on the way.
  ///
  /// @param congestion the congestion window, in segments
  /// @param slowStartThreshold in segments
  /// @param segmentSize the largest segment that is sent, in bytes
  /// @param pathMtu the largest packet of the path, in bytes
  /// @param peerReceives the peer's window in bytes, 0 on kernels before 5.4
  public record Window(
      long congestion, long slowStartThreshold, int segmentSize, int pathMtu, long peerReceives) {}

  /// Bytes of the stream.
  ///
  /// @param acknowledged that the peer has acknowledged
  /// @param received that came in order
  /// @param notSent that are written and have not been sent for the first time
  /// @param deliveryRate the latest rate of delivery, in bytes per second
  public record Traffic(long acknowledged, long received, long notSent, long deliveryRate) {}

  /// Segments that went missing.
  ///
  /// @param unacknowledged segments on the way
  /// @param lost segments that are thought to be lost
  /// @param retransmitted segments on the way that were sent again
  /// @param retransmissions segments sent again since the connection was made
  public record Loss(long unacknowledged, long lost, long retransmitted, long retransmissions) {}
}
