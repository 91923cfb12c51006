package dev.quickwater.tls;

import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// What a handshake agreed on; immutable.
///
/// @param ssl protocol version, cipher suite and certificates. [SSLSession#getPeerCertificates]
///   returns what the peer presented, its verified certificate first, and throws if it presented
///   none. If OpenSSL resumes a session on a server, only the first certificate is present
/// @param applicationProtocol the application protocol (ALPN), or null if there is none
/// @param serverName the host name that the client requested (SNI), or null
/// @param resumed true if an earlier session was resumed, so no certificates were exchanged
/// @param library the library that the connection uses; never AUTO
public record TlsSession(
    SSLSession ssl,
    @Nullable String applicationProtocol,
    @Nullable String serverName,
    boolean resumed,
    TlsLibrary library) {

  /// The version of TLS, for example `TLSv1.3`.
  public String version() {
    return ssl.getProtocol();
  }

  /// The cipher suite by its IANA name.
  public String cipherSuite() {
    return ssl.getCipherSuite();
  }
}
