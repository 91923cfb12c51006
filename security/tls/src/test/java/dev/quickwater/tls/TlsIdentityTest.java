package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.PemTexts;
import dev.quickwater.tls.testing.TestCa;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Identities from every form of file, and the messages for files that cannot be used.
final class TlsIdentityTest {

  private static final TlsIdentity EC = Libraries.CA.intermediate("A").issue("localhost");
  private static final TlsIdentity RSA =
      Libraries.CA.issue(new TestCa.Issue("rsa").withKey(TestCa.KeyType.RSA_2048));
  private static final byte[] EC_CHAIN = PemTexts.certificates(EC.chain());

  @TempDir private Path folder;

  private Path file(String name, byte[] content) throws Exception {
    return Files.write(folder.resolve(name), content);
  }

  private static void assertSame(TlsIdentity expected, TlsIdentity read) {
    assertEquals(expected.chain(), read.chain());
    assertEquals(expected.key(), read.key());
  }

  private static void assertRefused(Executable read, String... parts) {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, read);
    for (String part : parts) {
      assertTrue(refused.getMessage().contains(part), refused::getMessage);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeOfKeyIsRead(TestCa.KeyType type) {
    TlsIdentity identity = Libraries.CA.issue(new TestCa.Issue("x").withKey(type));
    byte[] chain = PemTexts.certificates(identity.chain());
    assertSame(identity, TlsIdentity.pem(chain, PemTexts.pkcs8(identity.key()), null));
  }

  @Test
  void olderFormsOfKeysAreRead() {
    TlsIdentity sec1 = TlsIdentity.pem(EC_CHAIN, PemTexts.sec1(EC.key(), true), null);
    assertEquals(((ECPrivateKey) EC.key()).getS(), ((ECPrivateKey) sec1.key()).getS());
    byte[] chain = PemTexts.certificates(RSA.chain());
    assertSame(RSA, TlsIdentity.pem(chain, PemTexts.pkcs1(RSA.key()), null));
  }

  @Test
  void encryptedKeyIsRead() {
    byte[] key = PemTexts.encrypted(EC.key(), "secret");
    assertSame(EC, TlsIdentity.pem(EC_CHAIN, key, "secret".toCharArray()));
    assertRefused(
        () -> TlsIdentity.pem(EC_CHAIN, key, "other".toCharArray()),
        "ENCRYPTED PRIVATE KEY in line 1",
        "password");
    assertRefused(() -> TlsIdentity.pem(EC_CHAIN, key, null), "no password is given");
  }

  @Test
  void filesAreRead() throws Exception {
    Path chain = file("chain.pem", EC_CHAIN);
    Path key = file("key.pem", PemTexts.pkcs8(EC.key()));
    assertSame(EC, TlsIdentity.pem(chain, key));
    Path secret = file("secret.pem", PemTexts.encrypted(EC.key(), "x"));
    assertSame(EC, TlsIdentity.pem(chain, secret, "x".toCharArray()));
  }

  @Test
  void oneFileMayHaveKeyAndChain() throws Exception {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(PemTexts.pkcs8(EC.key()));
    both.writeBytes(EC_CHAIN);
    Path file = file("both.pem", both.toByteArray());
    assertSame(EC, TlsIdentity.pem(file, file));
  }

  @Test
  void lineEndsOfWindowsAreRead() {
    byte[] chain =
        new String(EC_CHAIN, StandardCharsets.US_ASCII)
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    assertSame(EC, TlsIdentity.pem(chain, PemTexts.pkcs8(EC.key()), null));
  }

  @Test
  void pkcs12IsRead() throws Exception {
    char[] password = "pass".toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("one", EC.key(), password, EC.chain().toArray(Certificate[]::new));
    assertSame(EC, TlsIdentity.pkcs12(bytes(store, password), password));
    assertSame(EC, TlsIdentity.pkcs12(file("a.p12", bytes(store, password)), password));
    assertSame(EC, TlsIdentity.keyStore(store, "one", password));
    assertRefused(() -> TlsIdentity.keyStore(store, "other", password), "alias other");
    assertRefused(() -> TlsIdentity.pkcs12(bytes(store, password), "no".toCharArray()), "password");
    store.setKeyEntry("two", RSA.key(), password, RSA.chain().toArray(Certificate[]::new));
    assertRefused(
        () -> TlsIdentity.pkcs12(bytes(store, password), password), "2 keys", "one", "two");
  }

  private static byte[] bytes(KeyStore store, char[] password) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    store.store(out, password);
    return out.toByteArray();
  }

  @Test
  void keyMustBelongToTheCertificate() throws Exception {
    TlsIdentity other = Libraries.CA.issue("localhost");
    assertRefused(() -> TlsIdentity.of(other.key(), EC.chain()), "does not belong", "CN=leaf");
    assertRefused(() -> TlsIdentity.of(RSA.key(), EC.chain()), "RSA", "EC");
    Path chain = file("chain.pem", EC_CHAIN);
    Path key = file("key.pem", PemTexts.pkcs8(other.key()));
    assertRefused(() -> TlsIdentity.pem(chain, key), chain.toString(), key.toString());
    assertRefused(
        () -> TlsIdentity.pem(EC_CHAIN, PemTexts.pkcs8(RSA.key()), null), "line 1", "type EC");
  }

  @Test
  void chainMustBeInOrder() {
    assertRefused(() -> TlsIdentity.of(EC.key(), List.of()), "no certificate");
    List<X509Certificate> wrong = List.of(EC.chain().getFirst(), Libraries.OTHER.certificate());
    assertRefused(
        () -> TlsIdentity.of(EC.key(), wrong), "CN=leaf", "issuer CN=A", "CN=Other root follows");
  }

  @Test
  void expiredCertificateIsAccepted() {
    TlsIdentity expired = Libraries.CA.issue(new TestCa.Issue("x").expired());
    assertEquals(1, expired.chain().size());
  }

  @Test
  void malformedTextIsNamedWithItsLine() {
    byte[] key = PemTexts.pkcs8(EC.key());
    assertRefused(() -> TlsIdentity.pem(key, key, null), "the chain has no block CERTIFICATE");
    assertRefused(() -> TlsIdentity.pem(EC_CHAIN, EC_CHAIN, null), "no block PRIVATE KEY");
    assertRefused(
        () -> TlsIdentity.pem(ascii("\n-----BEGIN CERTIFICATE-----\nMIIB\n"), key, null),
        "the chain: the block CERTIFICATE in line 2 has no line");
    assertRefused(
        () -> TlsIdentity.pem(ascii(PemTexts.block("CERTIFICATE", new byte[5])), key, null),
        "the block CERTIFICATE in line 1 is not a certificate");
    assertRefused(
        () ->
            TlsIdentity.pem(
                ascii("-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----"), key, null),
        "not Base64");
    assertRefused(
        () -> TlsIdentity.pem(EC_CHAIN, ascii(PemTexts.block("DSA PRIVATE KEY", key)), null),
        "DSA PRIVATE KEY");
    assertRefused(
        () -> TlsIdentity.pem(EC_CHAIN, PemTexts.sec1(EC.key(), false), null),
        "line 4",
        "openssl pkcs8 -topk8");
    assertRefused(
        () ->
            TlsIdentity.pem(
                EC_CHAIN,
                ascii(
                    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAA==\n"
                        + "-----END RSA PRIVATE KEY-----"),
                null),
        "legacy");
  }

  @Test
  void everyTruncatedKeyIsRefused() {
    PrivateKey key = EC.key();
    byte[] sec1 =
        Base64.getMimeDecoder()
            .decode(
                new String(PemTexts.sec1(key, true), StandardCharsets.US_ASCII)
                    .replaceAll("(?s).*BEGIN EC PRIVATE KEY-----(.*)-----END.*", "$1"));
    for (int length = 0; length < sec1.length; length++) {
      byte[] cut = Arrays.copyOf(sec1, length);
      assertRefused(
          () -> TlsIdentity.pem(EC_CHAIN, ascii(PemTexts.block("EC PRIVATE KEY", cut)), null),
          "EC PRIVATE KEY");
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void missingFileIsNamed() {
    Path missing = folder.resolve("missing.pem");
    UncheckedIOException failed =
        assertThrows(UncheckedIOException.class, () -> TlsIdentity.pem(missing, missing));
    assertTrue(failed.getMessage().contains("missing.pem"), failed::toString);
  }

  @Test
  void responseIsCopied() {
    byte[] response = {1, 2, 3};
    TlsIdentity stapled = EC.withOcspResponse(response);
    response[0] = 9;
    assertArrayEquals(new byte[] {1, 2, 3}, stapled.ocspResponse());
    assertNull(EC.ocspResponse());
    assertEquals("TlsIdentity[CN=leaf]", stapled.toString());
  }

  @Test
  void anchorsAreReadFromAFile() throws Exception {
    Path bundle =
        file(
            "ca.pem",
            PemTexts.certificates(
                List.of(Libraries.CA.certificate(), Libraries.OTHER.certificate())));
    assertEquals(
        new TlsTrust.Anchors.Given(
            List.of(Libraries.CA.certificate(), Libraries.OTHER.certificate())),
        TlsTrust.DEFAULT.withCertificates(bundle).anchors());
    Path empty = file("empty.pem", new byte[0]);
    assertRefused(() -> TlsTrust.DEFAULT.withCertificates(empty), "empty.pem has no block");
  }

  @Test
  void pinsAreChecked() {
    assertRefused(() -> TlsTrust.DEFAULT.withPins("sha256/abc"), "pins");
  }
}
