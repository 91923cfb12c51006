package dev.quickwater.http1;

import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;

/// Limits of input that nothing reads.
///
/// @param maxBuffered bytes of later requests that are held while a request is answered
/// @param maxDiscard bytes of an unread body that are dropped to keep the connection
/// @param discardTimeout how long dropping may take
/// @param maxLinger bytes that are dropped after the last response: a client that writes before it
///   reads then still receives the response
/// @param lingerTimeout how long the linger may take
public record InputLimits(
    int maxBuffered,
    int maxDiscard,
    Duration discardTimeout,
    long maxLinger,
    Duration lingerTimeout) {

  /// 64 KiB of later requests, 64 KiB or 1 s of an unread body, 64 MiB or 5 s of linger.
  public static final InputLimits DEFAULT =
      new InputLimits(64 << 10, 64 << 10, Duration.ofSeconds(1), 64 << 20, Duration.ofSeconds(5));

  /// Checks the values.
  public InputLimits {
    SettingCheck.require(maxBuffered >= 1024, "maxBuffered", maxBuffered, "1024 or more");
    SettingCheck.require(maxDiscard >= 0, "maxDiscard", maxDiscard, "0 or more");
    SettingCheck.require(
        discardTimeout.isPositive(), "discardTimeout", discardTimeout, "more than zero");
    SettingCheck.require(maxLinger >= 0, "maxLinger", maxLinger, "0 or more");
    SettingCheck.require(!lingerTimeout.isNegative(), "lingerTimeout", lingerTimeout, "0 or more");
  }

  /// These limits with another limit of later requests.
  public InputLimits withMaxBuffered(int bytes) {
    return new InputLimits(bytes, maxDiscard, discardTimeout, maxLinger, lingerTimeout);
  }

  /// These limits with other limits of an unread body.
  public InputLimits withDiscard(int bytes, Duration timeout) {
    return new InputLimits(maxBuffered, bytes, timeout, maxLinger, lingerTimeout);
  }

  /// These limits with other limits of the linger.
  public InputLimits withLinger(long bytes, Duration timeout) {
    return new InputLimits(maxBuffered, maxDiscard, discardTimeout, bytes, timeout);
  }
}
