package dev.quickwater.web;

import dev.quickwater.util.setting.SettingCheck;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a server fetches OCSP responses for its certificates (RFC 6960), to send them to its clients
/// (stapling); immutable. See [HttpServer#tls(dev.quickwater.tls.TlsSettings, OcspStapling)].
///
/// A response is fetched again after half of its life, and after a failed attempt with a growing
/// delay. Delays vary by 10 %, because many servers start together. The server sends the last
/// verified response until it expires.
///
/// @param responder the http address of the responder; null for the one that each certificate names
/// @param timeout how long an attempt may take
/// @param maxResponse bytes of a response, 1 to 1,000,000
/// @param minDelay the minimum time between two attempts, and the delay after the first failure
/// @param maxDelay the maximum time between two attempts
public record OcspStapling(
    @Nullable URI responder,
    Duration timeout,
    int maxResponse,
    Duration minDelay,
    Duration maxDelay) {

  /// The responders of the certificates, 10 s, 64 KiB, 1 minute to 24 hours.
  public static final OcspStapling DEFAULT =
      new OcspStapling(
          null, Duration.ofSeconds(10), 64 << 10, Duration.ofMinutes(1), Duration.ofDays(1));

  /// Checks the values.
  public OcspStapling {
    SettingCheck.require(
        responder == null || "http".equals(responder.getScheme()) && responder.getHost() != null,
        "responder",
        String.valueOf(responder),
        "an http address");
    SettingCheck.require(timeout.isPositive(), "timeout", timeout, "more than zero");
    SettingCheck.require(
        maxResponse >= 1 && maxResponse <= 1_000_000, "maxResponse", maxResponse, "1 to 1,000,000");
    SettingCheck.require(minDelay.isPositive(), "minDelay", minDelay, "more than zero");
    SettingCheck.require(
        maxDelay.compareTo(minDelay) >= 0, "maxDelay", maxDelay, "minDelay or more");
  }

  /// These settings with another responder.
  public OcspStapling withResponder(@Nullable URI other) {
    return new OcspStapling(other, timeout, maxResponse, minDelay, maxDelay);
  }

  /// These settings with another timeout.
  public OcspStapling withTimeout(Duration other) {
    return new OcspStapling(responder, other, maxResponse, minDelay, maxDelay);
  }

  /// These settings with another maximum length.
  public OcspStapling withMaxResponse(int other) {
    return new OcspStapling(responder, timeout, other, minDelay, maxDelay);
  }

  /// These settings with other delays.
  public OcspStapling withDelays(Duration min, Duration max) {
    return new OcspStapling(responder, timeout, maxResponse, min, max);
  }
}
