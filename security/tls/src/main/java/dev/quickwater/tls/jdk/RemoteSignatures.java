package dev.quickwater.tls.jdk;

import dev.quickwater.tls.TlsSignatureScheme;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Map;

/// The security provider that signs with a [RemoteKey]. The JDK selects the implementation of a
/// signature among the installed providers by the class of the key, so the provider is installed
/// for the process, at the last place. It accepts no other keys.
final class RemoteSignatures extends Provider {

  private static final long serialVersionUID = 1L;

  private static final String NAME = "QuickwaterRemoteKeys";

  private RemoteSignatures() {
    super(NAME, "1", "Signs with keys of a TlsSigner");
    for (TlsSignatureScheme scheme : TlsSignatureScheme.values()) {
      putService(new Signatures(this, scheme.algorithm()));
    }
  }

  /// Installs the provider. Later calls have no effect.
  static void install() {
    if (Security.getProvider(NAME) == null) {
      Security.addProvider(new RemoteSignatures());
    }
  }

  private static final class Signatures extends Service {

    Signatures(Provider provider, String algorithm) {
      super(
          provider,
          "Signature",
          algorithm,
          RemoteSignature.class.getName(),
          List.of(),
          Map.of("SupportedKeyClasses", RemoteKey.class.getName()));
    }

    @Override
    public Object newInstance(Object parameter) {
      return new RemoteSignature(getAlgorithm());
    }

    @Override
    public boolean supportsParameter(Object key) {
      return key instanceof RemoteKey;
    }
  }
}
