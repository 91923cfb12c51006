package dev.quickwater.tls;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A TLS handshake in the recordings of the JDK's flight recorder.
@Name("dev.quickwater.TlsHandshake")
@Label("TLS handshake")
@Category("Quickwater")
@StackTrace(false)
final class TlsHandshakeEvent extends Event {

  @Label("Peer")
  @Nullable String peer;

  @Label("Library")
  @Nullable String library;

  @Label("Version")
  @Nullable String version;

  @Label("Cipher suite")
  @Nullable String cipherSuite;

  @Label("Application protocol")
  @Nullable String applicationProtocol;

  @Label("Server name")
  @Nullable String serverName;

  @Label("Resumed")
  boolean resumed;

  @Label("Failure")
  @Nullable String failure;

  void complete(TlsSession session) {
    library = session.library().name();
    version = session.version();
    cipherSuite = session.cipherSuite();
    applicationProtocol = session.applicationProtocol();
    serverName = session.serverName();
    resumed = session.resumed();
  }
}
