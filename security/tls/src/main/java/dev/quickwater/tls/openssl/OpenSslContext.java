package dev.quickwater.tls.openssl;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.library.ClientHello;
import dev.quickwater.tls.library.HostName;
import dev.quickwater.tls.library.KeyLog;
import dev.quickwater.tls.library.LibraryConnection;
import dev.quickwater.tls.library.LibraryContext;
import dev.quickwater.tls.library.PeerVerifier;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The settings of one side for OpenSSL: one [NativeContext] for each identity.
public final class OpenSslContext implements LibraryContext {

  private final OpenSslLibrary library;
  private final TlsSettings settings;
  private final PeerVerifier verifier;
  private final TicketKeys ticketKeys;
  private final ClientSessions clientSessions;
  private final @Nullable KeyLog keyLog;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// The context of each identity of a server.
  private final Map<TlsIdentity, NativeContext> byIdentity = new HashMap<>();

  /// The context of a client; null on a server.
  private @Nullable NativeContext client;

  private OpenSslContext(TlsSettings settings, PeerVerifier verifier) {
    this.library = OpenSslLibrary.load();
    this.settings = settings;
    this.verifier = verifier;
    this.ticketKeys = TicketKeys.of(settings.sessions());
    this.clientSessions = new ClientSessions(settings.sessions());
    this.keyLog = KeyLog.of(settings.engine().keyLog());
  }

  /// Loads OpenSSL.
  ///
  /// @throws UnsupportedOperationException if there is no OpenSSL; the message has the reason
  public static void requirePresent() {
    var _ = OpenSslLibrary.load();
  }

  /// Creates the context of a server.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  /// @throws UnsupportedOperationException if there is no OpenSSL
  public static OpenSslContext server(TlsSettings settings, PeerVerifier verifier) {
    TlsIdentities identities = settings.identities();
    if (identities.all().isEmpty()) {
      throw new IllegalArgumentException("identities is empty, a server needs at least one");
    }
    var result = new OpenSslContext(settings, verifier);
    boolean complete = false;
    try {
      var sessions = new SessionContext(settings.trust());
      for (TlsIdentity identity : identities.all()) {
        byte[] sessionContext = sessions.of(identities, identity);
        var builder = ContextBuilder.server(settings, verifier, identity, sessionContext);
        result.byIdentity.put(identity, new NativeContext(builder::build));
      }
      complete = true;
      return result;
    } finally {
      if (!complete) {
        result.close();
      }
    }
  }

  /// Creates the context of a client.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  /// @throws UnsupportedOperationException if there is no OpenSSL
  public static OpenSslContext client(TlsSettings settings, PeerVerifier verifier) {
    var result = new OpenSslContext(settings, verifier);
    var builder = ContextBuilder.client(settings, verifier);
    result.client = new NativeContext(builder::build);
    return result;
  }

  @Override
  public LibraryConnection accept(ClientHello hello) throws TlsException {
    @Nullable String name = hello.serverName();
    @Nullable TlsIdentity identity = settings.identities().select(name);
    @Nullable NativeContext selected = identity == null ? null : byIdentity.get(identity);
    if (selected == null) {
      throw TlsException.local(
          TlsAlert.UNRECOGNIZED_NAME,
          name == null
              ? "the peer requested no host name (SNI), and identities has no default"
              : "the peer requested the host name (SNI) "
                  + name
                  + ", and identities has neither an entry for it nor a default");
    }
    return OpenSslConnection.server(this, selected.newSsl(), identity);
  }

  @Override
  public LibraryConnection connect(String host, int port) {
    if (client == null) {
      throw new IllegalStateException("this is the context of a server");
    }
    return OpenSslConnection.client(this, client.newSsl(), host, port);
  }

  @Override
  public void checkHost(String host) {
    HostName.of(host);
  }

  @Override
  public String description() {
    return library.description();
  }

  OpenSslLibrary library() {
    return library;
  }

  TlsSettings settings() {
    return settings;
  }

  PeerVerifier verifier() {
    return verifier;
  }

  TicketKeys ticketKeys() {
    return ticketKeys;
  }

  ClientSessions clientSessions() {
    return clientSessions;
  }

  @Nullable KeyLog keyLog() {
    return keyLog;
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    clientSessions.close();
    if (client != null) {
      client.close();
    }
    byIdentity.values().forEach(NativeContext::close);
  }
}
