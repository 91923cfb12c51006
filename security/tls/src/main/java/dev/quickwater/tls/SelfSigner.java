package dev.quickwater.tls;

import java.util.List;

/// A service that creates certificates for development. The module `dev.quickwater.tls.selfsigned`
/// provides it, see [TlsSettings#selfSigned].
public interface SelfSigner {

  /// Creates a key and a certificate that it signs.
  ///
  /// @param names host names in lower case, or addresses without brackets; at least one
  TlsIdentity sign(List<String> names);
}
