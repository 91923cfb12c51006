package dev.quickwater.http1;

import java.time.Duration;

/// Limits and deadlines of an HTTP/1.1 connection; immutable, checked when it is made.
///
/// @param maxTargetLength bytes of a request line's target; more is answered with 414
/// @param maxHeadSize bytes of a request head, plus 32 for each field; more is answered with 431;
///   at most 65,535
/// @param maxFields fields of a head or of trailers; more is answered with 431
/// @param maxChunkExtension bytes of the chunk extensions of one body; more is answered with 400
/// @param headTimeout how long a head may take from its first byte on
/// @param keepAliveTimeout how long a connection may be without a request
/// @param minBodyRate bytes a second that a body must bring while we read it, judged every 5 s
/// @param minResponseRate bytes a second that the peer must take while some wait for it, judged
///   every 30 s; 0 for none. It catches who reads just enough not to stall
///   ([dev.quickwater.channel.ChannelTimeouts#stallTimeout])
/// @param maxDiscard bytes of an unread body that are dropped to keep the connection
/// @param discardTimeout how long dropping may take
/// @param maxBuffered bytes of later requests that are held while one is answered
public record Http1Settings(
    int maxTargetLength,
    int maxHeadSize,
    int maxFields,
    int maxChunkExtension,
    Duration headTimeout,
    Duration keepAliveTimeout,
    int minBodyRate,
    int minResponseRate,
    int maxDiscard,
    Duration discardTimeout,
    int maxBuffered) {

  /// 8 KiB target, 32 KiB head, 100 fields, 10 s for a head, 75 s keep-alive, 240 bytes/s both
  /// ways, 64 KiB or 1 s of an unread body.
  public static final Http1Settings DEFAULT =
      new Http1Settings(
          8 << 10,
          32 << 10,
          100,
          4 << 10,
          Duration.ofSeconds(10),
          Duration.ofSeconds(75),
          240,
          240,
          64 << 10,
          Duration.ofSeconds(1),
          64 << 10);

  /// Checks the values against each other.
  public Http1Settings {
    require(maxHeadSize >= 64 && maxHeadSize <= 0xffff, "maxHeadSize", maxHeadSize, "64 to 65535");
    require(
        maxTargetLength >= 1 && maxTargetLength <= maxHeadSize,
        "maxTargetLength",
        maxTargetLength,
        "1 to maxHeadSize, which is " + maxHeadSize);
    require(maxFields >= 1, "maxFields", maxFields, "1 or more");
    require(maxChunkExtension >= 0, "maxChunkExtension", maxChunkExtension, "0 or more");
    require(headTimeout.isPositive(), "headTimeout", headTimeout, "more than zero");
    require(keepAliveTimeout.isPositive(), "keepAliveTimeout", keepAliveTimeout, "more than zero");
    require(minBodyRate >= 0, "minBodyRate", minBodyRate, "0 or more");
    require(minResponseRate >= 0, "minResponseRate", minResponseRate, "0 or more");
    require(maxDiscard >= 0, "maxDiscard", maxDiscard, "0 or more");
    require(discardTimeout.isPositive(), "discardTimeout", discardTimeout, "more than zero");
    require(maxBuffered >= 1024, "maxBuffered", maxBuffered, "1024 or more");
  }

  private static void require(boolean good, String name, Object value, String expected) {
    if (!good) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }

  /// These settings with other limits of a head.
  public Http1Settings withHeadLimits(int target, int head, int fields) {
    return new Http1Settings(
        target,
        head,
        fields,
        maxChunkExtension,
        headTimeout,
        keepAliveTimeout,
        minBodyRate,
        minResponseRate,
        maxDiscard,
        discardTimeout,
        maxBuffered);
  }

  /// These settings with other deadlines.
  public Http1Settings withTimeouts(Duration head, Duration keepAlive) {
    return new Http1Settings(
        maxTargetLength,
        maxHeadSize,
        maxFields,
        maxChunkExtension,
        head,
        keepAlive,
        minBodyRate,
        minResponseRate,
        maxDiscard,
        discardTimeout,
        maxBuffered);
  }

  /// These settings with another minimum rate of bodies; 0 for none.
  public Http1Settings withMinBodyRate(int bytesPerSecond) {
    return new Http1Settings(
        maxTargetLength,
        maxHeadSize,
        maxFields,
        maxChunkExtension,
        headTimeout,
        keepAliveTimeout,
        bytesPerSecond,
        minResponseRate,
        maxDiscard,
        discardTimeout,
        maxBuffered);
  }

  /// These settings with other limits of an unread body.
  public Http1Settings withDiscard(int bytes, Duration timeout) {
    return new Http1Settings(
        maxTargetLength,
        maxHeadSize,
        maxFields,
        maxChunkExtension,
        headTimeout,
        keepAliveTimeout,
        minBodyRate,
        minResponseRate,
        bytes,
        timeout,
        maxBuffered);
  }

  /// These settings with another minimum rate of responses; 0 for none.
  public Http1Settings withMinResponseRate(int bytesPerSecond) {
    return new Http1Settings(
        maxTargetLength,
        maxHeadSize,
        maxFields,
        maxChunkExtension,
        headTimeout,
        keepAliveTimeout,
        minBodyRate,
        bytesPerSecond,
        maxDiscard,
        discardTimeout,
        maxBuffered);
  }

  /// These settings with another limit of chunk extensions.
  public Http1Settings withMaxChunkExtension(int bytes) {
    return new Http1Settings(
        maxTargetLength,
        maxHeadSize,
        maxFields,
        bytes,
        headTimeout,
        keepAliveTimeout,
        minBodyRate,
        minResponseRate,
        maxDiscard,
        discardTimeout,
        maxBuffered);
  }

  /// These settings with another limit of what is held while a request is answered.
  public Http1Settings withMaxBuffered(int bytes) {
    return new Http1Settings(
        maxTargetLength,
        maxHeadSize,
        maxFields,
        maxChunkExtension,
        headTimeout,
        keepAliveTimeout,
        minBodyRate,
        minResponseRate,
        maxDiscard,
        discardTimeout,
        bytes);
  }
}
