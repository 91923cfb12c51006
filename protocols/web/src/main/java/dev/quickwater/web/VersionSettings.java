package dev.quickwater.web;

import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http2.Http2Settings;
import dev.quickwater.tls.TlsSettings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The versions of HTTP that are used, with the limits and deadlines of each; immutable.
///
/// @param versions the versions in use
/// @param http1 limits and deadlines of HTTP/1.1
/// @param http2 limits and deadlines of HTTP/2
/// @param http2Initializer adds handlers before the HTTP/2 handler in the pipeline, for example a
///   [dev.quickwater.http2.FrameTrace]. It runs on the loop of each connection that uses HTTP/2,
///   before the first byte. If it throws, the connection is closed
/// @param h2cUpgrade true if a server of both versions changes from HTTP/1.1 to HTTP/2 for requests
///   with `Upgrade: h2c` and without a body (RFC 7540 section 3.2). RFC 9113 has removed this
///   upgrade. A proxy that forwards such a request does not see the requests that follow, so its
///   rules do not apply to them. A client of both versions offers the upgrade on new connections
///   without TLS and without a proxy, by an `OPTIONS *`, which costs a round trip. It uses HTTP/1.1
///   if the server does not upgrade
public record VersionSettings(
    Versions versions,
    Http1Settings http1,
    Http2Settings http2,
    ChannelInitializer http2Initializer,
    boolean h2cUpgrade) {

  /// The versions in use.
  public enum Versions {
    /// HTTP/1.1 and 1.0.
    HTTP_1_1,
    /// HTTP/2 alone. Without TLS, a client uses it by prior knowledge: the server must support it.
    /// With TLS, it is the only version that the handshake offers or accepts; a peer without ALPN
    /// is refused.
    HTTP_2,
    /// Both. With TLS the handshake selects the version (ALPN), HTTP/2 if both sides support it.
    /// Without TLS a server detects the version by the first bytes of a connection, and a client
    /// uses HTTP/1.1, or offers the upgrade if `h2cUpgrade` is set.
    BOTH
  }

  /// Both versions, with the defaults of each, no further handlers and no upgrade.
  public static final VersionSettings DEFAULT =
      new VersionSettings(
          Versions.BOTH, Http1Settings.DEFAULT, Http2Settings.DEFAULT, _ -> {}, false);

  /// The settings of TLS that offer or accept these versions, unless they name application
  /// protocols already.
  TlsSettings negotiatedBy(TlsSettings tls) {
    if (!tls.protocols().applicationProtocols().isEmpty()) {
      return tls;
    }
    String[] names =
        switch (versions) {
          case HTTP_1_1 -> new String[] {ProtocolSelector.HTTP_1_1};
          case HTTP_2 -> new String[] {ProtocolSelector.HTTP_2};
          case BOTH -> new String[] {ProtocolSelector.HTTP_2, ProtocolSelector.HTTP_1_1};
        };
    return tls.withProtocols(tls.protocols().withApplicationProtocols(names));
  }

  /// The version of a connection after its TLS handshake. A peer without ALPN uses HTTP/1.1,
  /// because HTTP/2 over TLS requires ALPN (RFC 9113 section 3.2).
  ///
  /// @param protocol the application protocol that was selected, or null if there was none
  /// @return true for HTTP/2
  /// @throws IOException if the peer can only use HTTP/1.1, and the settings exclude it
  boolean selectsHttp2(@Nullable String protocol) throws IOException {
    if (protocol != null) {
      return protocol.equals(ProtocolSelector.HTTP_2);
    }
    if (versions == Versions.HTTP_2) {
      throw new IOException(
          "the peer does not support ALPN, which HTTP/2 over TLS requires (setting versions is"
              + " HTTP_2)");
    }
    return false;
  }

  /// These settings with other versions.
  public VersionSettings with(Versions other) {
    return new VersionSettings(other, http1, http2, http2Initializer, h2cUpgrade);
  }

  /// These settings with other limits of HTTP/1.1.
  public VersionSettings withHttp1(Http1Settings other) {
    return new VersionSettings(versions, other, http2, http2Initializer, h2cUpgrade);
  }

  /// These settings with other limits of HTTP/2.
  public VersionSettings withHttp2(Http2Settings other) {
    return new VersionSettings(versions, http1, other, http2Initializer, h2cUpgrade);
  }

  /// These settings with other limits of exchanges, in every version.
  public VersionSettings withExchanges(ExchangeLimits limits) {
    return new VersionSettings(
        versions,
        http1.withExchanges(limits),
        http2.withExchanges(limits),
        http2Initializer,
        h2cUpgrade);
  }

  /// These settings with another initializer of connections that use HTTP/2.
  public VersionSettings withHttp2Initializer(ChannelInitializer other) {
    return new VersionSettings(versions, http1, http2, other, h2cUpgrade);
  }

  /// These settings with or without the upgrade from HTTP/1.1.
  public VersionSettings withH2cUpgrade(boolean allowed) {
    return new VersionSettings(versions, http1, http2, http2Initializer, allowed);
  }
}
