package dev.quickwater.tls.jdk;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsSessions;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.library.ClientHello;
import dev.quickwater.tls.library.HostName;
import dev.quickwater.tls.library.LibraryConnection;
import dev.quickwater.tls.library.LibraryContext;
import dev.quickwater.tls.library.PeerVerifier;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// The settings of one side for the JDK: one [SSLContext], which also keeps the sessions.
///
/// - **Resumption** is limited to this context: replaced settings start without sessions. A client
///   resumes a session only for the host and port for which it was verified.
/// - **Host names** with an underscore are refused: the JDK neither requests nor accepts them
///   (SNI).
/// - **Not possible** with the JDK, and refused: a key log, OCSP responses of a server, keys of
///   tickets, resumption without tickets.
public final class JdkContext implements LibraryContext {

  /// A session timeout of more than seven days, the maximum lifetime of a ticket (RFC 8446 section
  /// 4.6.1). The JDK sends no ticket for such a session.
  private static final int NO_TICKET_SECONDS = 7 * 24 * 3600 + 1;

  private final TlsSettings settings;
  private final VerifierTrust trust;
  private final SSLContext context;
  private final boolean resumes;
  private final boolean server;

  private JdkContext(TlsSettings settings, PeerVerifier verifier, boolean server) {
    requirePossible(settings, server);
    this.settings = settings;
    this.server = server;
    TlsSessions sessions = settings.sessions();
    this.resumes = sessions.tickets() && (server || sessions.cacheSize() > 0);
    this.trust = new VerifierTrust(verifier);
    this.context = newContext();
    SSLSessionContext cache =
        server ? context.getServerSessionContext() : context.getClientSessionContext();
    // 0 would mean no limit.
    cache.setSessionCacheSize(Math.max(sessions.cacheSize(), 1));
    cache.setSessionTimeout((int) sessions.lifetime().toSeconds());
    requireKnown(settings.protocols());
  }

  private SSLContext newContext() {
    try {
      SSLContext created = SSLContext.getInstance("TLS");
      created.init(new KeyManager[] {IdentityKeys.IT}, new TrustManager[] {trust}, null);
      return created;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("library is JDK, which has no TLS provider", e);
    }
  }

  /// A separate context for one connection, so that no other connection can resume its session. In
  /// TLS 1.2 the JDK still sends a ticket, because its ServerHello has announced one.
  private SSLContext contextOfOne(boolean tls13) {
    SSLContext created = newContext();
    if (tls13) {
      created.getServerSessionContext().setSessionTimeout(NO_TICKET_SECONDS);
    }
    return created;
  }

  private boolean usesTls13() {
    TlsProtocols protocols = settings.protocols();
    return protocols.versions().contains(TlsProtocols.Version.TLS_1_3)
        && protocols.cipherSuites().stream().anyMatch(suite -> !suite.contains("_WITH_"));
  }

  /// Creates the context of a server.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  public static JdkContext server(TlsSettings settings, PeerVerifier verifier) {
    return new JdkContext(settings, verifier, true);
  }

  /// Creates the context of a client.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  public static JdkContext client(TlsSettings settings, PeerVerifier verifier) {
    return new JdkContext(settings, verifier, false);
  }

  private static void requirePossible(TlsSettings settings, boolean server) {
    String alternative = "; the library OPENSSL supports it";
    if (settings.engine().keyLog() != null) {
      throw new IllegalArgumentException(
          "keyLog is set, but the JDK does not expose the secrets of connections" + alternative);
    }
    TlsSessions sessions = settings.sessions();
    if (!sessions.tickets() && sessions.cacheSize() > 0) {
      throw new IllegalArgumentException(
          "tickets is false and cacheSize is "
              + sessions.cacheSize()
              + ", but the JDK does not resume sessions without tickets; TlsSessions.OFF disables"
              + " resumption"
              + alternative);
    }
    if (!sessions.ticketKeys().isEmpty()) {
      throw new IllegalArgumentException(
          "ticketKeys is set, but the JDK does not accept keys for tickets" + alternative);
    }
    if (server && settings.identities().all().isEmpty()) {
      throw new IllegalArgumentException("identities is empty, a server needs at least one");
    }
    if (server && settings.identities().all().stream().anyMatch(TlsIdentity::staples)) {
      throw new IllegalArgumentException(
          "an identity has an OCSP response, but the JDK does not send given responses"
              + alternative);
    }
  }

  private void requireKnown(TlsProtocols protocols) {
    SSLParameters supported = context.getSupportedSSLParameters();
    requireKnown("cipherSuites", protocols.cipherSuites(), supported.getCipherSuites());
    String @Nullable [] groups = supported.getNamedGroups();
    if (groups != null) {
      requireKnown("groups", protocols.groups(), groups);
    }
    requireKnown(
        "versions",
        protocols.versions().stream().map(TlsProtocols.Version::toString).toList(),
        supported.getProtocols());
  }

  private static void requireKnown(String name, List<String> values, String[] supported) {
    Set<String> known = Set.of(supported);
    for (String value : values) {
      if (!known.contains(value)) {
        throw new IllegalArgumentException(
            name
                + " has "
                + value
                + ", which the JDK does not support; it supports "
                + Arrays.toString(supported));
      }
    }
  }

  @Override
  public LibraryConnection accept(ClientHello hello) throws TlsException {
    // The JDK ignores TLS_FALLBACK_SCSV.
    if (hello.fallback() && !hello.offersTls13() && usesTls13()) {
      throw TlsException.local(
          TlsAlert.INAPPROPRIATE_FALLBACK,
          "the peer repeated its handshake without TLS 1.3 (TLS_FALLBACK_SCSV), which this side"
              + " supports; an attacker may have disturbed the first handshake");
    }
    @Nullable TlsIdentity identity = settings.identities().select(hello.serverName());
    if (identity == null) {
      throw TlsException.local(
          TlsAlert.UNRECOGNIZED_NAME,
          hello.serverName() == null
              ? "the peer requested no host name (SNI), and identities has no default"
              : "the peer requested the host name (SNI) "
                  + hello.serverName()
                  + ", and identities has neither an entry for it nor a default");
    }
    boolean tls13 = hello.offersTls13() && usesTls13();
    SSLEngine engine = (resumes ? context : contextOfOne(tls13)).createSSLEngine();
    engine.setUseClientMode(false);
    engine.setSSLParameters(parameters());
    return new JdkConnection(engine, identity, null);
  }

  @Override
  public LibraryConnection connect(String host, int port) {
    String name = HostName.of(host);
    // The JDK looks for sessions only if it has a host.
    SSLEngine engine = resumes ? context.createSSLEngine(name, port) : context.createSSLEngine();
    engine.setUseClientMode(true);
    SSLParameters parameters = parameters();
    parameters.setServerNames(serverNames(name));
    engine.setSSLParameters(parameters);
    boolean verifies = settings.trust().hostCheck() == TlsTrust.HostCheck.VERIFY;
    return new JdkConnection(
        engine, settings.identities().defaultIdentity(), verifies ? name : null);
  }

  private static List<SNIServerName> serverNames(String name) {
    if (HostName.isAddress(name)) {
      return List.of();
    }
    try {
      return List.of(new SNIHostName(name));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "host is '"
              + name
              + "', which the JDK does not request (SNI), because it has an underscore; library"
              + " OPENSSL can do it",
          e);
    }
  }

  @Override
  public void checkHost(String host) {
    serverNames(HostName.of(host));
  }

  private SSLParameters parameters() {
    TlsProtocols protocols = settings.protocols();
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(
        protocols.versions().stream().map(TlsProtocols.Version::toString).toArray(String[]::new));
    parameters.setCipherSuites(protocols.cipherSuites().toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    parameters.setApplicationProtocols(protocols.applicationProtocols().toArray(String[]::new));
    if (!protocols.groups().isEmpty()) {
      parameters.setNamedGroups(protocols.groups().toArray(String[]::new));
    }
    if (server) {
      switch (settings.trust().clientAuth()) {
        case NONE -> parameters.setNeedClientAuth(false);
        case OPTIONAL -> parameters.setWantClientAuth(true);
        case REQUIRED -> parameters.setNeedClientAuth(true);
      }
    }
    return parameters;
  }

  @Override
  public String description() {
    return "JDK " + Runtime.version().feature() + " (" + context.getProvider().getName() + ")";
  }

  @Override
  public void close() {}
}
