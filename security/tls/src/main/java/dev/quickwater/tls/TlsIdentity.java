package dev.quickwater.tls;

import dev.quickwater.tls.jdk.RemoteKey;
import dev.quickwater.tls.pem.PemCertificates;
import dev.quickwater.tls.pem.PemKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A certificate chain with its private key, and optionally the OCSP response that a server sends
/// with it; immutable.
///
/// - **Checked:** the key belongs to the first certificate, and each certificate is followed by one
///   with the name of its issuer. A first certificate that has expired or is not valid yet is
///   accepted, with a warning in the log.
/// - **Files** are read once. After a change, create a new identity and call [TlsContext#replace].
/// - Errors of PEM files name the file, the block and the line.
public final class TlsIdentity {

  private final List<X509Certificate> chain;
  private final PrivateKey key;
  private final @Nullable Supplier<byte @Nullable []> ocsp;

  private TlsIdentity(
      List<X509Certificate> chain, PrivateKey key, @Nullable Supplier<byte @Nullable []> ocsp) {
    this.chain = List.copyOf(chain);
    this.key = key;
    this.ocsp = ocsp;
  }

  /// The identity of a key and its certificates, the first of which is that of the key. The key may
  /// be in a hardware module if a security provider can sign with it; the library must then be
  /// [TlsLibrary#JDK].
  ///
  /// @throws IllegalArgumentException if they do not belong together
  public static TlsIdentity of(PrivateKey key, List<X509Certificate> chain) {
    return checked("the identity", key, chain);
  }

  /// The identity of a private key that is elsewhere, for example in a key service. The library
  /// must be [TlsLibrary#JDK], which [TlsLibrary#AUTO] selects. Handshakes sign on virtual threads
  /// and do not block event loops. The signer is not called here.
  ///
  /// @throws IllegalArgumentException if the certificates are not a chain
  public static TlsIdentity signedBy(TlsSigner signer, List<X509Certificate> chain) {
    IdentityCheck.checkChain("the identity", chain);
    return new TlsIdentity(chain, RemoteKey.of(chain.getFirst().getPublicKey(), signer), null);
  }

  /// The identity of PEM files.
  ///
  /// @param chain certificates, that of the key first
  /// @param key a key without password: PKCS#8, PKCS#1 or SEC 1. May be the same file
  /// @throws IllegalArgumentException if the files cannot be used
  /// @throws UncheckedIOException if a file cannot be read
  public static TlsIdentity pem(Path chain, Path key) {
    return pem(chain.toString(), bytes(chain), key.toString(), bytes(key), null);
  }

  /// The identity of PEM files with an encrypted key (PKCS#8).
  ///
  /// @throws IllegalArgumentException if the files cannot be used
  /// @throws UncheckedIOException if a file cannot be read
  public static TlsIdentity pem(Path chain, Path key, char[] password) {
    return pem(chain.toString(), bytes(chain), key.toString(), bytes(key), password);
  }

  /// The identity of PEM texts.
  ///
  /// @param password for an encrypted key, or null
  /// @throws IllegalArgumentException if the texts cannot be used
  public static TlsIdentity pem(byte[] chain, byte[] key, char @Nullable [] password) {
    return pem("the chain", chain, "the key", key, password);
  }

  private static TlsIdentity pem(
      String chainSource, byte[] chain, String keySource, byte[] key, char @Nullable [] password) {
    List<X509Certificate> certificates = PemCertificates.read(chainSource, chain);
    String algorithm = certificates.getFirst().getPublicKey().getAlgorithm();
    PrivateKey privateKey = PemKey.read(keySource, key, algorithm, password);
    String source =
        chainSource.equals(keySource) ? chainSource : chainSource + " with " + keySource;
    return checked(source, privateKey, certificates);
  }

  /// The identity of a PKCS#12 file with one key.
  ///
  /// @throws IllegalArgumentException if the file cannot be used
  /// @throws UncheckedIOException if the file cannot be read
  public static TlsIdentity pkcs12(Path file, char[] password) {
    return pkcs12(file.toString(), bytes(file), password);
  }

  /// The identity of a PKCS#12 store with one key.
  ///
  /// @throws IllegalArgumentException if the store cannot be used
  public static TlsIdentity pkcs12(byte[] store, char[] password) {
    return pkcs12("the PKCS#12 store", store, password);
  }

  private static TlsIdentity pkcs12(String source, byte[] bytes, char[] password) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(new ByteArrayInputStream(bytes), password);
      return ofStore(source, store, onlyKey(source, store), password);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          source + " cannot be read with the password: " + e.getMessage(), e);
    }
  }

  private static String onlyKey(String source, KeyStore store) throws GeneralSecurityException {
    List<String> aliases = new ArrayList<>();
    for (Enumeration<String> all = store.aliases(); all.hasMoreElements(); ) {
      String alias = all.nextElement();
      if (store.isKeyEntry(alias)) {
        aliases.add(alias);
      }
    }
    if (aliases.size() != 1) {
      throw new IllegalArgumentException(
          source + " has " + aliases.size() + " keys, expected one: " + aliases);
    }
    return aliases.getFirst();
  }

  /// The identity of an entry of a key store.
  ///
  /// @param password the password of the key
  /// @throws IllegalArgumentException if the entry cannot be used
  public static TlsIdentity keyStore(KeyStore store, String alias, char[] password) {
    try {
      return ofStore("the key store", store, alias, password);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "the key store: the key " + alias + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static TlsIdentity ofStore(String source, KeyStore store, String alias, char[] password)
      throws GeneralSecurityException {
    if (!(store.getKey(alias, password) instanceof PrivateKey key)) {
      throw new IllegalArgumentException(source + " has no private key with the alias " + alias);
    }
    List<X509Certificate> chain = new ArrayList<>();
    Certificate @Nullable [] certificates = store.getCertificateChain(alias);
    if (certificates != null) {
      for (Certificate certificate : certificates) {
        if (certificate instanceof X509Certificate x509) {
          chain.add(x509);
        }
      }
    }
    return checked(source + ", alias " + alias, key, chain);
  }

  private static TlsIdentity checked(String source, PrivateKey key, List<X509Certificate> chain) {
    IdentityCheck.check(source, key, chain);
    return new TlsIdentity(chain, key, null);
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /// This identity with an OCSP response (RFC 6960) in DER, which a server sends with its
  /// certificate (stapling, RFC 6066 section 8). The library must be OpenSSL. The response is
  /// copied and not checked.
  public TlsIdentity withOcspResponse(byte[] response) {
    byte[] copy = response.clone();
    return withOcspResponses(() -> copy);
  }

  /// This identity with OCSP responses that change, for example because they are fetched again
  /// before they expire. Otherwise like [#withOcspResponse].
  ///
  /// @param source returns the response for the next handshake, or null to send none. Called on
  ///   event loops, and must not block. Its arrays must not be changed
  public TlsIdentity withOcspResponses(Supplier<byte @Nullable []> source) {
    return new TlsIdentity(chain, key, source);
  }

  /// The certificates that are sent, the one of the key first.
  public List<X509Certificate> chain() {
    return chain;
  }

  /// True if a [TlsSigner] signs. The key then has no encoding.
  public boolean isRemote() {
    return key instanceof RemoteKey;
  }

  /// The private key.
  public PrivateKey key() {
    return key;
  }

  /// The OCSP response that a server sends now, or null.
  public byte @Nullable [] ocspResponse() {
    byte @Nullable [] response = ocsp == null ? null : ocsp.get();
    return response == null ? null : response.clone();
  }

  /// True if a server sends OCSP responses, or will when there is one.
  public boolean staples() {
    return ocsp != null;
  }

  /// The subject of the certificate.
  @Override
  public String toString() {
    return "TlsIdentity[" + chain.getFirst().getSubjectX500Principal() + "]";
  }
}
