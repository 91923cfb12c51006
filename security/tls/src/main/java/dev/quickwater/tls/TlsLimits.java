package dev.quickwater.tls;

import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;

/// Limits and deadlines of a TLS connection; immutable.
///
/// @param handshakeTimeout how long the handshake may take
/// @param maxClientHello bytes of a ClientHello message with its header, at least 512; a larger one
///   is refused
/// @param maxHandshake bytes that the peer may send until the handshake is complete, including
///   certificates and the headers of records; at least `maxClientHello`
/// @param maxEmptyRecords records without application data that the peer may send in a row after
///   the handshake, for example KeyUpdate messages; at least 8
/// @param maxHandshakesPerSecond handshakes that one address may begin with a server in a second;
///   an IPv6 address counts as its network of 64 bits. [TlsHandler] closes further connections
public record TlsLimits(
    Duration handshakeTimeout,
    int maxClientHello,
    int maxHandshake,
    int maxEmptyRecords,
    int maxHandshakesPerSecond) {

  /// 10 s for the handshake, 64 KiB for a ClientHello, 256 KiB for a handshake, 64 empty records,
  /// 1,000 handshakes of an address in a second.
  public static final TlsLimits DEFAULT =
      new TlsLimits(Duration.ofSeconds(10), 64 << 10, 256 << 10, 64, 1000);

  /// Checks the values.
  public TlsLimits {
    SettingCheck.require(
        handshakeTimeout.isPositive(), "handshakeTimeout", handshakeTimeout, "more than zero");
    SettingCheck.require(maxClientHello >= 512, "maxClientHello", maxClientHello, "512 or more");
    SettingCheck.require(
        maxHandshake >= maxClientHello, "maxHandshake", maxHandshake, "maxClientHello or more");
    SettingCheck.require(maxEmptyRecords >= 8, "maxEmptyRecords", maxEmptyRecords, "8 or more");
    SettingCheck.require(
        maxHandshakesPerSecond >= 1, "maxHandshakesPerSecond", maxHandshakesPerSecond, "1 or more");
  }

  /// These limits with another handshake deadline.
  public TlsLimits withHandshakeTimeout(Duration other) {
    return new TlsLimits(
        other, maxClientHello, maxHandshake, maxEmptyRecords, maxHandshakesPerSecond);
  }

  /// These limits with another length of a ClientHello.
  public TlsLimits withMaxClientHello(int other) {
    return new TlsLimits(
        handshakeTimeout, other, maxHandshake, maxEmptyRecords, maxHandshakesPerSecond);
  }

  /// These limits with another number of bytes until the handshake is complete.
  public TlsLimits withMaxHandshake(int other) {
    return new TlsLimits(
        handshakeTimeout, maxClientHello, other, maxEmptyRecords, maxHandshakesPerSecond);
  }

  /// These limits with another number of records without data in a row.
  public TlsLimits withMaxEmptyRecords(int other) {
    return new TlsLimits(
        handshakeTimeout, maxClientHello, maxHandshake, other, maxHandshakesPerSecond);
  }

  /// These limits with another number of handshakes of an address in a second.
  public TlsLimits withMaxHandshakesPerSecond(int other) {
    return new TlsLimits(handshakeTimeout, maxClientHello, maxHandshake, maxEmptyRecords, other);
  }
}
