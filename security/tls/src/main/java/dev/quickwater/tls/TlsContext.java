package dev.quickwater.tls;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.jdk.JdkContext;
import dev.quickwater.tls.library.LibraryContext;
import dev.quickwater.tls.library.PeerVerifier;
import dev.quickwater.tls.openssl.OpenSslContext;

/// The settings of one side, checked and loaded: creates the engines of its connections.
///
/// - **Thread-safe.** All connections of a server or client share one context.
/// - **Replacing** the settings ([#replace]) affects connections that are created later. Open
///   connections keep what they began with.
/// - **Closing** the context frees it as soon as its last connection has closed. Open connections
///   are not affected.
public final class TlsContext implements AutoCloseable {

  private final boolean server;
  private final TlsCounters counters = new TlsCounters();
  private volatile Loaded loaded;
  private boolean closed;

  private record Loaded(
      TlsSettings settings, LibraryContext library, String reason, HandshakeRate rate) {}

  private TlsContext(boolean server, TlsSettings settings) {
    this.server = server;
    this.loaded = load(server, settings);
  }

  /// The context of a server.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  /// @throws UnsupportedOperationException if the settings require a library that is not present
  public static TlsContext server(TlsSettings settings) {
    return new TlsContext(true, settings);
  }

  /// The context of a client.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  /// @throws UnsupportedOperationException if the settings require a library that is not present
  public static TlsContext client(TlsSettings settings) {
    return new TlsContext(false, settings);
  }

  private static Loaded load(boolean server, TlsSettings settings) {
    PeerVerifier verifier = PeerVerifier.of(settings.trust());
    LibraryChoice choice = LibraryChoice.of(settings);
    boolean openSsl = choice.library() == TlsLibrary.OPENSSL;
    LibraryContext library;
    if (server) {
      library =
          openSsl
              ? OpenSslContext.server(settings, verifier)
              : JdkContext.server(settings, verifier);
    } else {
      library =
          openSsl
              ? OpenSslContext.client(settings, verifier)
              : JdkContext.client(settings, verifier);
    }
    return new Loaded(
        settings,
        library,
        choice.reason(),
        new HandshakeRate(settings.engine().limits().maxHandshakesPerSecond()));
  }

  /// Uses other settings for later connections, for example renewed certificates. If they cannot be
  /// used, the context keeps its settings.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  /// @throws IllegalStateException if the context is closed
  /// @throws UnsupportedOperationException if the settings require a library that is not present
  public synchronized void replace(TlsSettings settings) {
    if (closed) {
      throw new IllegalStateException("the context is closed");
    }
    Loaded before = loaded;
    loaded = load(server, settings);
    before.library.close();
  }

  /// The settings that new connections use.
  public TlsSettings settings() {
    return loaded.settings;
  }

  /// The library with its version, and the reason for the choice, as one line.
  public String description() {
    Loaded current = loaded;
    String library = current.library.description();
    return current.reason.isEmpty() ? library : library + ": " + current.reason;
  }

  /// The figures since this context was created.
  public TlsMetrics metrics() {
    return counters.metrics();
  }

  TlsCounters counters() {
    return counters;
  }

  HandshakeRate rate() {
    return loaded.rate;
  }

  /// Creates the engine of a connection that a client opened.
  ///
  /// @throws IllegalStateException if this is the context of a client
  public TlsEngine accept(ByteBufAllocator allocator) {
    if (!server) {
      throw new IllegalStateException("this is the context of a client");
    }
    Loaded current = loaded;
    return new TlsEngine(current.settings, current.library, allocator);
  }

  /// Creates the engine of a connection to a server.
  ///
  /// @param host the host name or IP address, which is verified; a name is sent (SNI)
  /// @param port the port; sessions are resumed only with the same host and port
  /// @throws IllegalStateException if this is the context of a server
  /// @throws IllegalArgumentException if `host` is neither a host name nor an IP address
  public TlsEngine connect(String host, int port, ByteBufAllocator allocator) {
    if (server) {
      throw new IllegalStateException("this is the context of a server");
    }
    Loaded current = loaded;
    return new TlsEngine(current.settings, current.library.connect(host, port), allocator);
  }

  /// Checks the host of a connection before it is opened.
  ///
  /// @throws IllegalArgumentException if the host is not a valid name or address, or the library
  ///   cannot request it
  public void checkHost(String host) {
    loaded.library.checkHost(host);
  }

  @Override
  public synchronized void close() {
    closed = true;
    loaded.library.close();
  }
}
