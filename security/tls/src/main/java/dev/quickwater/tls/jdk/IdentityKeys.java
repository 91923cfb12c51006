package dev.quickwater.tls.jdk;

import dev.quickwater.tls.TlsIdentity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Provides the JDK with the identity of the connection whose handshake runs on this thread. The
/// identity was selected before the connection was created.
final class IdentityKeys extends X509ExtendedKeyManager {

  static final IdentityKeys IT = new IdentityKeys();

  private static final String ALIAS = "identity";

  private IdentityKeys() {}

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(keyTypes);
  }

  private static @Nullable String alias(String... keyTypes) {
    JdkConnection connection = Scratch.current();
    connection.certificatesExchanged();
    @Nullable TlsIdentity identity = connection.identity();
    if (identity != null) {
      String algorithm = identity.chain().getFirst().getPublicKey().getAlgorithm();
      for (String keyType : keyTypes) {
        if (keyType.equals(algorithm)) {
          return ALIAS;
        }
      }
    }
    return null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    @Nullable TlsIdentity identity = Scratch.current().identity();
    return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    @Nullable TlsIdentity identity = Scratch.current().identity();
    return identity == null ? null : identity.key();
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
