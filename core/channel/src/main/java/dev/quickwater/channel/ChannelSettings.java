package dev.quickwater.channel;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// How a channel behaves; immutable, checked when it is made.
///
/// @param lowWaterMark bytes waiting to be sent at which, or below, the channel becomes writable
///   again
/// @param highWaterMark bytes waiting to be sent above which the channel is not writable
/// @param hardLimit bytes waiting to be sent above which the channel is closed; each message counts
///   64 more, so that very many small ones reach it too
/// @param stallTimeout how long flushed bytes may wait without any progress before the channel is
///   closed
/// @param connectTimeout how long connecting may take
/// @param halfClose true to keep the channel open when the peer ends its direction
/// @param readsPerTurn most reads from one channel before others get their turn
/// @param minReadSize smallest receive buffer in bytes; the size adapts to what was read
/// @param maxReadSize largest receive buffer in bytes
/// @param backlog connections that may wait to be accepted; the system may allow fewer
/// @param options socket options, set when a connection's socket is made; a listening socket takes
///   `SO_RCVBUF`, `SO_REUSEADDR` and `SO_REUSEPORT` of them
public record ChannelSettings(
    int lowWaterMark,
    int highWaterMark,
    long hardLimit,
    Duration stallTimeout,
    Duration connectTimeout,
    boolean halfClose,
    int readsPerTurn,
    int minReadSize,
    int maxReadSize,
    int backlog,
    Map<SocketOption<?>, Object> options) {

  /// Marks of 32 and 64 KiB, a hard limit of 64 MiB, 30 s to stall, 10 s to connect, `TCP_NODELAY`.
  public static final ChannelSettings DEFAULT =
      new ChannelSettings(
          32 << 10,
          64 << 10,
          64L << 20,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          false,
          16,
          1 << 10,
          64 << 10,
          4096,
          Map.of(StandardSocketOptions.TCP_NODELAY, true));

  /// The same without socket options: for datagram channels.
  public static final ChannelSettings DATAGRAM =
      new ChannelSettings(
          DEFAULT.lowWaterMark,
          DEFAULT.highWaterMark,
          DEFAULT.hardLimit,
          DEFAULT.stallTimeout,
          DEFAULT.connectTimeout,
          DEFAULT.halfClose,
          DEFAULT.readsPerTurn,
          DEFAULT.minReadSize,
          DEFAULT.maxReadSize,
          DEFAULT.backlog,
          Map.of());

  /// The same without socket options: for channels of Unix sockets, which have none of TCP.
  public static final ChannelSettings UNIX = DATAGRAM;

  /// Checks the values against each other.
  public ChannelSettings {
    require(0 <= lowWaterMark, "lowWaterMark", lowWaterMark, "0 or more");
    require(
        lowWaterMark <= highWaterMark,
        "highWaterMark",
        highWaterMark,
        "at least lowWaterMark, which is " + lowWaterMark);
    require(
        highWaterMark <= hardLimit,
        "hardLimit",
        hardLimit,
        "at least highWaterMark, which is " + highWaterMark);
    require(stallTimeout.isPositive(), "stallTimeout", stallTimeout, "more than zero");
    require(connectTimeout.isPositive(), "connectTimeout", connectTimeout, "more than zero");
    require(readsPerTurn > 0, "readsPerTurn", readsPerTurn, "1 or more");
    require(minReadSize >= 64, "minReadSize", minReadSize, "64 or more");
    require(
        maxReadSize >= minReadSize,
        "maxReadSize",
        maxReadSize,
        "at least minReadSize, which is " + minReadSize);
    require(backlog > 0, "backlog", backlog, "1 or more");
    options = Map.copyOf(options);
  }

  private static void require(boolean good, String name, Object value, String expected) {
    if (!good) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }

  /// These settings with other water marks.
  public ChannelSettings withWaterMarks(int low, int high) {
    return new ChannelSettings(
        low,
        high,
        hardLimit,
        stallTimeout,
        connectTimeout,
        halfClose,
        readsPerTurn,
        minReadSize,
        maxReadSize,
        backlog,
        options);
  }

  /// These settings with another hard limit.
  public ChannelSettings withHardLimit(long bytes) {
    return new ChannelSettings(
        lowWaterMark,
        highWaterMark,
        bytes,
        stallTimeout,
        connectTimeout,
        halfClose,
        readsPerTurn,
        minReadSize,
        maxReadSize,
        backlog,
        options);
  }

  /// These settings with another stall timeout.
  public ChannelSettings withStallTimeout(Duration timeout) {
    return new ChannelSettings(
        lowWaterMark,
        highWaterMark,
        hardLimit,
        timeout,
        connectTimeout,
        halfClose,
        readsPerTurn,
        minReadSize,
        maxReadSize,
        backlog,
        options);
  }

  /// These settings with another connect timeout.
  public ChannelSettings withConnectTimeout(Duration timeout) {
    return new ChannelSettings(
        lowWaterMark,
        highWaterMark,
        hardLimit,
        stallTimeout,
        timeout,
        halfClose,
        readsPerTurn,
        minReadSize,
        maxReadSize,
        backlog,
        options);
  }

  /// These settings with half-closed channels kept open, or not.
  public ChannelSettings withHalfClose(boolean keepOpen) {
    return new ChannelSettings(
        lowWaterMark,
        highWaterMark,
        hardLimit,
        stallTimeout,
        connectTimeout,
        keepOpen,
        readsPerTurn,
        minReadSize,
        maxReadSize,
        backlog,
        options);
  }

  /// These settings with receive buffers of other sizes.
  public ChannelSettings withReadSize(int min, int max) {
    return new ChannelSettings(
        lowWaterMark,
        highWaterMark,
        hardLimit,
        stallTimeout,
        connectTimeout,
        halfClose,
        readsPerTurn,
        min,
        max,
        backlog,
        options);
  }

  /// These settings with another backlog.
  public ChannelSettings withBacklog(int connections) {
    return new ChannelSettings(
        lowWaterMark,
        highWaterMark,
        hardLimit,
        stallTimeout,
        connectTimeout,
        halfClose,
        readsPerTurn,
        minReadSize,
        maxReadSize,
        connections,
        options);
  }

  /// These settings with one more socket option.
  public <T> ChannelSettings withOption(SocketOption<T> option, T value) {
    Map<SocketOption<?>, Object> more = new HashMap<>(options);
    more.put(option, value);
    return new ChannelSettings(
        lowWaterMark,
        highWaterMark,
        hardLimit,
        stallTimeout,
        connectTimeout,
        halfClose,
        readsPerTurn,
        minReadSize,
        maxReadSize,
        backlog,
        more);
  }
}
