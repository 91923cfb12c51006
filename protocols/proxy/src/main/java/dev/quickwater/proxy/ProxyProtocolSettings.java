package dev.quickwater.proxy;

import dev.quickwater.util.net.CidrSet;
import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;

/// The proxies whose headers a server accepts; immutable.
///
/// @param trusted the addresses of the proxies. A connection from another address is closed,
///   because its header could name any client. Connections over Unix sockets are trusted
/// @param timeout how long the header may take
public record ProxyProtocolSettings(CidrSet trusted, Duration timeout) {

  /// Checks the values.
  public ProxyProtocolSettings {
    SettingCheck.require(timeout.isPositive(), "timeout", timeout, "more than zero");
  }

  /// Settings with a timeout of 10 s.
  public static ProxyProtocolSettings of(CidrSet trusted) {
    return new ProxyProtocolSettings(trusted, Duration.ofSeconds(10));
  }

  /// These settings with another timeout.
  public ProxyProtocolSettings withTimeout(Duration other) {
    return new ProxyProtocolSettings(trusted, other);
  }
}
