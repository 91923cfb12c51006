package dev.quickwater.tls.library;

import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.jdk.JdkContext;
import dev.quickwater.tls.openssl.OpenSslContext;

/// The settings of one side, loaded into a library. Thread-safe. Connections remain usable after
/// [#close].
public sealed interface LibraryContext extends AutoCloseable permits OpenSslContext, JdkContext {

  /// Creates the server's side of a connection.
  ///
  /// @param hello what the client requested; the connection receives its bytes as input
  /// @throws TlsException with the alert unrecognized_name if there is no identity for the name
  LibraryConnection accept(ClientHello hello) throws TlsException;

  /// Creates the client's side of a connection.
  ///
  /// @param host the host name or IP address; sent as SNI if it is a name, and verified unless the
  ///   settings switch that off
  /// @param port the port; sessions are resumed only with the same host and port
  /// @throws IllegalArgumentException if the host is neither a host name nor an IP address
  LibraryConnection connect(String host, int port);

  /// Checks a host before [#connect].
  ///
  /// @throws IllegalArgumentException if the host is not a valid name or address, or the library
  ///   cannot request it
  void checkHost(String host);

  /// The library with its version, as a part of a line.
  String description();

  @Override
  void close();
}
