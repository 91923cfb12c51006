package dev.quickwater.tls;

import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;
import java.util.List;

/// Resumption of sessions; immutable.
///
/// @param tickets whether a server sends session tickets, and a client uses them. Without tickets
///   there is no resumption in TLS 1.3, and none with the JDK
/// @param cacheSize the maximum number of sessions that are kept: by a client for all servers
///   together, and by a server for clients of TLS 1.2 without tickets, with OpenSSL for each
///   identity. 0 for no cache: then a client resumes no session
/// @param lifetime how long a session can be resumed, at most seven days
/// @param ticketKeys the keys of session tickets, for hosts that accept the tickets of each other:
///   a server encrypts with the first and decrypts with all. Empty for keys that are created in
///   this process; with OpenSSL they change every hour. The JDK accepts no keys
public record TlsSessions(
    boolean tickets, int cacheSize, Duration lifetime, List<TlsTicketKey> ticketKeys) {

  /// RFC 8446 section 4.6.1.
  private static final Duration MAX_LIFETIME = Duration.ofDays(7);

  /// Tickets, a cache of 10,000 sessions, two hours.
  public static final TlsSessions DEFAULT =
      new TlsSessions(true, 10_000, Duration.ofHours(2), List.of());

  /// No resumption: every connection has a full handshake.
  public static final TlsSessions OFF = new TlsSessions(false, 0, Duration.ofSeconds(1), List.of());

  /// Checks the values.
  public TlsSessions {
    ticketKeys = List.copyOf(ticketKeys);
    SettingCheck.require(cacheSize >= 0, "cacheSize", cacheSize, "0 or more");
    SettingCheck.require(
        lifetime.compareTo(Duration.ofSeconds(1)) >= 0 && lifetime.compareTo(MAX_LIFETIME) <= 0,
        "lifetime",
        lifetime,
        "one second to seven days");
  }

  /// These values with other ticket keys.
  public TlsSessions withTicketKeys(TlsTicketKey... other) {
    return new TlsSessions(tickets, cacheSize, lifetime, List.of(other));
  }
}
