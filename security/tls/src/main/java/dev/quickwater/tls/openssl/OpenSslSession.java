package dev.quickwater.tls.openssl;

import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/// What a handshake of OpenSSL agreed on; immutable but for the values of the application.
final class OpenSslSession implements SSLSession {

  private static final int MAX_PLAINTEXT = 1 << 14;

  /// @param protocol for example `TLSv1.3`
  /// @param cipherSuite the IANA name
  /// @param createdMillis when the session was established
  record Agreed(String protocol, String cipherSuite, long createdMillis) {}

  /// @param host the host of the server on a client, otherwise null
  /// @param port the port of the server on a client, otherwise -1
  /// @param chain the certificates that the peer presented and that were verified
  /// @param localChain the certificates that were presented to the peer
  record Parties(
      @Nullable String host,
      int port,
      List<X509Certificate> chain,
      List<X509Certificate> localChain) {}

  private final byte[] id;
  private final Agreed agreed;
  private final Parties parties;
  private final Map<String, Object> values = new ConcurrentHashMap<>();

  OpenSslSession(byte[] id, Agreed agreed, Parties parties) {
    this.id = id;
    this.agreed = agreed;
    this.parties = parties;
  }

  @Override
  public byte[] getId() {
    return id.clone();
  }

  @Override
  public @Nullable SSLSessionContext getSessionContext() {
    return null;
  }

  @Override
  public long getCreationTime() {
    return agreed.createdMillis;
  }

  @Override
  public long getLastAccessedTime() {
    return agreed.createdMillis;
  }

  /// Has no effect: the settings limit the lifetime of sessions.
  @Override
  public void invalidate() {}

  @Override
  public boolean isValid() {
    return true;
  }

  @Override
  public void putValue(String name, Object value) {
    values.put(name, value);
  }

  @Override
  public @Nullable Object getValue(String name) {
    return values.get(name);
  }

  @Override
  public void removeValue(String name) {
    values.remove(name);
  }

  @Override
  public String[] getValueNames() {
    return values.keySet().toArray(String[]::new);
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    if (parties.chain.isEmpty()) {
      throw new SSLPeerUnverifiedException("the peer presented no certificate");
    }
    return parties.chain.toArray(Certificate[]::new);
  }

  @Override
  public Certificate @Nullable [] getLocalCertificates() {
    return parties.localChain.isEmpty() ? null : parties.localChain.toArray(Certificate[]::new);
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    return ((X509Certificate) getPeerCertificates()[0]).getSubjectX500Principal();
  }

  @Override
  public @Nullable Principal getLocalPrincipal() {
    return parties.localChain.isEmpty()
        ? null
        : parties.localChain.getFirst().getSubjectX500Principal();
  }

  @Override
  public String getCipherSuite() {
    return agreed.cipherSuite;
  }

  @Override
  public String getProtocol() {
    return agreed.protocol;
  }

  @Override
  public @Nullable String getPeerHost() {
    return parties.host;
  }

  @Override
  public int getPeerPort() {
    return parties.port;
  }

  @Override
  public int getPacketBufferSize() {
    return CallFrame.MAX_RECORD;
  }

  @Override
  public int getApplicationBufferSize() {
    return MAX_PLAINTEXT;
  }

  @Override
  public String toString() {
    return agreed.protocol + " " + agreed.cipherSuite;
  }
}
