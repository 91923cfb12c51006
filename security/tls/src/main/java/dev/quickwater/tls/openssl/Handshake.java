package dev.quickwater.tls.openssl;

import dev.quickwater.system.Memory;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSession;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import dev.quickwater.tls.TlsTrust.HostCheck;
import dev.quickwater.tls.library.HostName;
import dev.quickwater.tls.openssl.OpenSslSession.Agreed;
import dev.quickwater.tls.openssl.OpenSslSession.Parties;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What one connection decides during its handshake, and what it agreed on: the callbacks of
/// [Upcalls].
///
/// **Verification of the peer** happens when its certificates arrive, and in two cases again in the
/// callback for the stapled OCSP response, which is later:
///
/// - In TLS 1.2 the response arrives after the certificates.
/// - An invalid response is refused in its callback, because OpenSSL sends the alert for it only
///   from there.
///
/// Both callbacks precede the end of the handshake.
final class Handshake {

  private static final int VERIFIED = 1;
  private static final int REFUSED = 0;

  private final OpenSslContext context;
  private final long ssl;
  private final @Nullable TlsIdentity identity;

  /// The server; null if this side is the server.
  private final @Nullable String host;

  private final int port;

  /// The certificates of the peer.
  private List<X509Certificate> peerChain = List.of();

  /// The name of the ClientHello as OpenSSL has read it.
  private @Nullable String serverName;

  private boolean verified;

  /// The session that a client offers, or 0. Only compared, because the `SSL` owns it until the
  /// handshake is complete.
  private long offeredSession;

  private int sentAlert;
  private int receivedAlert;

  private Handshake(
      OpenSslContext context,
      long ssl,
      @Nullable TlsIdentity identity,
      @Nullable String host,
      int port) {
    this.context = context;
    this.ssl = ssl;
    this.identity = identity;
    this.host = host;
    this.port = port;
  }

  /// The handshake of a server.
  static Handshake server(OpenSslContext context, long ssl, @Nullable TlsIdentity identity) {
    return new Handshake(context, ssl, identity, null, -1);
  }

  /// The handshake of a client, which requests the name of the server and offers a session.
  ///
  /// @throws IllegalArgumentException if the host is not a valid name or address
  static Handshake client(OpenSslContext context, long ssl, String host, int port) {
    @Nullable TlsIdentity identity = context.settings().identities().defaultIdentity();
    String name = HostName.of(host);
    var handshake = new Handshake(context, ssl, identity, name, port);
    if (!HostName.isAddress(name)) {
      handshake.requestName(name);
    }
    @Nullable List<X509Certificate> chain = context.clientSessions().offer(ssl, name, port);
    if (chain != null) {
      handshake.offeredSession = LibSsl.SSL_get_session.call(ssl);
      handshake.peerChain = chain;
    }
    return handshake;
  }

  private void requestName(String name) {
    try (Arena arena = Arena.ofConfined()) {
      long text = NativeText.allocate(arena, name);
      if ((int) LibSsl.SSL_ctrl.call(ssl, LibSsl.CTRL_SET_TLSEXT_HOSTNAME, 0, text) != 1) {
        LibSsl.ERR_clear_error.call();
        throw new IllegalArgumentException("host is '" + name + "', expected a name or address");
      }
    }
    serverName = name;
  }

  private static String normalize(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  // ---- callbacks ----

  /// Verifies the certificates of the peer.
  ///
  /// @param store an X509_STORE_CTX
  long verifyChain(long store) {
    peerChain = List.of();
    offeredSession = 0;
    try {
      peerChain = PeerChain.ofStack(LibSsl.X509_STORE_CTX_get0_untrusted.call(store));
      verify();
    } catch (TlsException e) {
      boolean later = host != null && e.alert() == TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE;
      if (!later) {
        LibSsl.X509_STORE_CTX_set_error.call(store, Alerts.verifyError(e.alert()));
        CallFrame.current().fail(e);
        return REFUSED;
      }
    }
    LibSsl.X509_STORE_CTX_set_error.call(store, 0);
    return VERIFIED;
  }

  private void verify() throws TlsException {
    verified = false;
    if (peerChain.isEmpty()) {
      throw TlsException.local(
          TlsAlert.BAD_CERTIFICATE, "the peer presented an empty list of certificates");
    }
    if (host == null) {
      String keyType = peerChain.getFirst().getPublicKey().getAlgorithm();
      context.verifier().verifyClient(peerChain, keyType);
    } else {
      boolean check = context.settings().trust().hostCheck() == HostCheck.VERIFY;
      context.verifier().verifyServer(peerChain, authType(), check ? host : null, staples());
    }
    verified = true;
  }

  /// The part of a TLS 1.2 suite between `TLS_` and `_WITH`, for example `ECDHE_RSA`.
  private String authType() {
    long cipher = LibSsl.SSL_get_pending_cipher.call(ssl);
    @Nullable String suite =
        cipher == 0 ? null : NativeText.read(LibSsl.SSL_CIPHER_standard_name.call(cipher));
    int end = suite == null ? -1 : suite.indexOf("_WITH_");
    return suite == null || end < 0 ? "UNKNOWN" : suite.substring("TLS_".length(), end);
  }

  /// The stapled OCSP response that has arrived.
  private List<byte[]> staples() {
    long pointer = CallFrame.current().small();
    int length =
        (int) LibSsl.SSL_ctrl.call(ssl, LibSsl.CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, pointer);
    return length <= 0 ? List.of() : List.of(NativeText.bytes(CallFrame.getLong(pointer), length));
  }

  /// A server sends its OCSP response, or a client has received everything that a server sends with
  /// its certificates.
  long certificateStatus() {
    if (host == null) {
      return staple();
    }
    if ((int) LibSsl.SSL_session_reused.call(ssl) == 1) {
      return VERIFIED;
    }
    if (verified && (isVersion13() || staples().isEmpty())) {
      return VERIFIED;
    }
    try {
      verify();
      return VERIFIED;
    } catch (TlsException e) {
      CallFrame.current().fail(e);
      return REFUSED;
    }
  }

  private long staple() {
    byte @Nullable [] response = identity == null ? null : identity.ocspResponse();
    if (response == null) {
      return LibSsl.TLSEXT_ERR_NOACK;
    }
    int length = response.length;
    long copy = LibSsl.CRYPTO_malloc.call(length, 0, 0);
    if (copy == 0) {
      return LibSsl.TLSEXT_ERR_NOACK;
    }
    Memory.copy(response, 0, copy, length);
    LibSsl.SSL_ctrl.call(ssl, LibSsl.CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, length, copy);
    return LibSsl.TLSEXT_ERR_OK;
  }

  private boolean isVersion13() {
    return "TLSv1.3".equals(NativeText.read(LibSsl.SSL_get_version.call(ssl)));
  }

  /// A server has read the extensions of a ClientHello.
  long readServerName() {
    @Nullable String name = requestedName();
    serverName = name == null ? null : normalize(name);
    return LibSsl.TLSEXT_ERR_OK;
  }

  private @Nullable String requestedName() {
    return NativeText.read(LibSsl.SSL_get_servername.call(ssl, 0));
  }

  /// A server selects the protocol that it prefers among the offered ones.
  long selectProtocol(long out, long outLength, long offered, int length) {
    for (String protocol : context.settings().protocols().applicationProtocols()) {
      int at = ApplicationProtocols.find(protocol, offered, length);
      if (at >= 0) {
        CallFrame.putLong(out, offered + at + 1);
        Memory.putByte(outLength, 0, (byte) protocol.length());
        return LibSsl.TLSEXT_ERR_OK;
      }
    }
    return LibSsl.TLSEXT_ERR_ALERT_FATAL;
  }

  /// A client has received a session.
  ///
  /// @return 1 if this side keeps the reference
  long rememberSession(long session) {
    boolean keep =
        host != null
            && (verified || isResumed())
            && context.clientSessions().add(host, port, session, peerChain);
    return keep ? 1 : 0;
  }

  private boolean isResumed() {
    return (int) LibSsl.SSL_session_reused.call(ssl) == 1;
  }

  /// A server encrypts or decrypts a ticket; see [TicketKeys#apply].
  long ticketKey(long name, long iv, long cipher, long mac, boolean encrypt) {
    int result = context.ticketKeys().apply(name, iv, cipher, mac, encrypt);
    // A client of TLS 1.3 uses a ticket once, so each connection gets a new one.
    boolean renew = result == TicketKeys.USED && !encrypt && isVersion13();
    return renew ? TicketKeys.USED_AND_RENEW : result;
  }

  /// An alert was sent or received.
  ///
  /// @param value level and description
  void alert(boolean sent, int value) {
    if (Alerts.isFatal(value)) {
      if (sent) {
        sentAlert = value;
      } else {
        receivedAlert = value;
      }
    }
  }

  void logKey(long line) {
    if (context.keyLog() != null) {
      context.keyLog().append(Objects.requireNonNullElse(NativeText.read(line), ""));
    }
  }

  // ---- results ----

  /// Takes the errors of OpenSSL after a call that failed.
  TlsException failure(boolean open) {
    long error = Alerts.takeError();
    return receivedAlert != 0
        ? Alerts.received(receivedAlert)
        : Alerts.local(sentAlert, open, error);
  }

  /// Checks at the end of the handshake that the peer was verified, now or when the session was
  /// established. OpenSSL must have called the callbacks; this does not rely on it.
  void requireVerified() throws TlsException {
    if (host != null) {
      requireOffered(protocol());
    }
    if (verified || (isResumed() && (host == null || offeredSession != 0))) {
      return;
    }
    boolean required =
        host != null
            || context.settings().trust().clientAuth() == ClientAuth.REQUIRED
            || !presented().isEmpty();
    if (required) {
      throw TlsException.local(TlsAlert.INTERNAL_ERROR, "the peer was not verified");
    }
  }

  private void requireOffered(@Nullable String protocol) throws TlsException {
    List<String> offered = context.settings().protocols().applicationProtocols();
    if (protocol != null && !offered.contains(protocol)) {
      throw TlsException.local(
          TlsAlert.ILLEGAL_PARAMETER,
          "the peer selected the application protocol " + protocol + ", which was not offered");
    }
  }

  /// A client of TLS 1.2 that resumed a session may have received a new ticket: then OpenSSL has
  /// copied the session and makes the old one unusable, but does not report the copy as new.
  void keepRenewedSession() {
    long session = LibSsl.SSL_get_session.call(ssl);
    if (host != null && session != offeredSession && isResumed() && !isVersion13()) {
      session = LibSsl.SSL_get1_session.call(ssl);
      if (!context.clientSessions().add(host, port, session, peerChain)) {
        LibSsl.SSL_SESSION_free.call(session);
      }
    }
  }

  /// The selected application protocol.
  private @Nullable String protocol() {
    long pointer = CallFrame.current().small();
    LibSsl.SSL_get0_alpn_selected.call(ssl, pointer, pointer + Long.BYTES);
    int length = CallFrame.getInt(pointer + Long.BYTES);
    return length == 0
        ? null
        : new String(
            NativeText.bytes(CallFrame.getLong(pointer), length), StandardCharsets.ISO_8859_1);
  }

  /// The certificate of the peer in the session of a server. A ticket has only the first one.
  private List<X509Certificate> presented() throws TlsException {
    long x509 = LibSsl.SSL_get1_peer_certificate.call(ssl);
    if (x509 == 0) {
      return List.of();
    }
    try {
      return List.of(PeerChain.of(x509));
    } finally {
      LibSsl.X509_free.call(x509);
    }
  }

  /// What the handshake agreed on.
  TlsSession session() throws TlsException {
    long session = LibSsl.SSL_get_session.call(ssl);
    List<X509Certificate> chain = peerChain.isEmpty() ? presented() : peerChain;
    List<X509Certificate> local = identity == null ? List.of() : identity.chain();
    return new TlsSession(
        new OpenSslSession(id(session), agreed(session), new Parties(host, port, chain, local)),
        protocol(),
        serverName,
        isResumed(),
        TlsLibrary.OPENSSL);
  }

  private static byte[] id(long session) {
    long lengthAt = CallFrame.current().small();
    long id = LibSsl.SSL_SESSION_get_id.call(session, lengthAt);
    return NativeText.bytes(id, CallFrame.getInt(lengthAt));
  }

  private Agreed agreed(long session) {
    long cipher = LibSsl.SSL_get_current_cipher.call(ssl);
    @Nullable String suite = NativeText.read(LibSsl.SSL_CIPHER_standard_name.call(cipher));
    @Nullable String version = NativeText.read(LibSsl.SSL_get_version.call(ssl));
    return new Agreed(
        Objects.requireNonNullElse(version, "unknown"),
        Objects.requireNonNullElse(suite, "unknown"),
        LibSsl.SSL_SESSION_get_time.call(session) * 1000);
  }
}
