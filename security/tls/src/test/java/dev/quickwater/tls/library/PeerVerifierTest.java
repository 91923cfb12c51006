package dev.quickwater.tls.library;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.PemTexts;
import dev.quickwater.tls.testing.TestCa;
import dev.quickwater.tls.testing.TestCa.Status;
import dev.quickwater.tls.testing.TrustManagers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Host names, stapled responses, pins and the anchors of the system.
final class PeerVerifierTest {

  private static final TlsIdentity SERVER = Libraries.CA.issue("localhost");
  private static final X509Certificate CERTIFICATE = SERVER.chain().getFirst();
  private static final PeerVerifier VERIFIER =
      PeerVerifier.of(TlsTrust.DEFAULT.withCertificates(Libraries.CA.certificate()));

  private static X509Certificate certificate(String... names) {
    return Libraries.CA.issue(names).chain().getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "a.example, a.example",
    "A.Example, a.eXAMPLE",
    "a.example, a.example.",
    "*.example.com, a.example.com",
    "*.example.com, A.EXAMPLE.COM.",
    "*.xn--bcher-kva.example, a.bücher.example",
    "xn--bcher-kva.example, bücher.example",
    "localhost, localhost",
    "192.0.2.1, 192.0.2.1",
    "2001:db8::1, 2001:db8::1",
    "2001:db8::1, [2001:DB8:0:0::1]",
    "my_service, my_service",
  })
  void nameMatches(String ofCertificate, String host) {
    assertTrue(HostMatch.matches(certificate(ofCertificate), host));
  }

  @ParameterizedTest
  @CsvSource({
    "a.example, b.example",
    "a.example, a.example.com",
    "a.example, x.a.example",
    "*.example.com, example.com",
    "*.example.com, a.b.example.com",
    "*.com, example.com",
    "*, localhost",
    "*.*.example.com, a.b.example.com",
    "a.*.example.com, a.b.example.com",
    "w*.example.com, www.example.com",
    "*w.example.com, www.example.com",
    "xn--*.example.com, xn--bcher-kva.example.com",
    "*.0.2.1, 192.0.2.1",
    "192.0.2.2, 192.0.2.1",
    "a.example., a.example",
    ".example, a.example",
  })
  void nameDoesNotMatch(String ofCertificate, String host) {
    assertFalse(HostMatch.matches(certificate(ofCertificate), host));
  }

  @Test
  void addressInANameDoesNotMatch() {
    // A name entry that looks like an address; RFC 9525 compares addresses with address entries.
    X509Certificate named = certificate("1.example");
    assertFalse(HostMatch.matches(named, "1.2.3.4"));
    assertFalse(HostMatch.matches(certificate("192.0.2.1"), "example"));
  }

  @Test
  void nulInANameDoesNotMatch() {
    assertFalse(HostMatch.matches(certificate("a.example\0.evil.example"), "a.example"));
  }

  private static void verify(byte[]... stapled) throws TlsException {
    VERIFIER.verifyServer(SERVER.chain(), "UNKNOWN", "localhost", List.of(stapled));
  }

  private static void assertStapleRefused(TlsAlert alert, byte[] response) {
    TlsException refused = assertThrows(TlsException.class, () -> verify(response));
    assertEquals(alert, refused.alert(), refused::toString);
    assertTrue(refused.getMessage().contains("CN=leaf, issued by CN=Test root"), refused::toString);
  }

  @Test
  void goodResponseIsAccepted() {
    assertDoesNotThrow(() -> verify(Libraries.CA.ocsp(CERTIFICATE, Status.GOOD)));
    assertDoesNotThrow(() -> verify());
    assertDoesNotThrow(() -> verify(new byte[0]));
  }

  @Test
  void revokedCertificateIsRefused() {
    assertStapleRefused(
        TlsAlert.CERTIFICATE_REVOKED, Libraries.CA.ocsp(CERTIFICATE, Status.REVOKED));
  }

  @Test
  void otherResponsesAreRefused() {
    TlsAlert alert = TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE;
    Instant now = Instant.now();
    Duration day = Duration.ofDays(1);
    assertStapleRefused(alert, Libraries.CA.ocsp(CERTIFICATE, Status.UNKNOWN));
    assertStapleRefused(
        alert,
        Libraries.CA.ocsp(
            CERTIFICATE, Status.GOOD, now.minus(day.multipliedBy(2)), now.minus(day)));
    assertStapleRefused(
        alert,
        Libraries.CA.ocsp(CERTIFICATE, Status.GOOD, now.plus(day), now.plus(day.multipliedBy(2))));
    // About another certificate.
    assertStapleRefused(alert, Libraries.CA.ocsp(certificate("localhost"), Status.GOOD));
    // By another authority.
    assertStapleRefused(alert, Libraries.OTHER.ocsp(CERTIFICATE, Status.GOOD));
    assertStapleRefused(alert, new byte[] {1, 2, 3});
  }

  @Test
  void everyChangedByteOfAResponseIsRefused() {
    byte[] good = Libraries.CA.ocsp(CERTIFICATE, Status.GOOD);
    int accepted = 0;
    for (int at = 0; at < good.length; at++) {
      byte[] changed = good.clone();
      changed[at] ^= 0x10;
      try {
        verify(changed);
        accepted++;
      } catch (TlsException e) {
        assertEquals(TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE, e.alert(), () -> e.toString());
      }
    }
    assertEquals(0, accepted, "responses with a changed byte");
  }

  @Test
  void responseOfAnIntermediateIsVerified() {
    TestCa issuer = Libraries.CA.intermediate("A");
    List<X509Certificate> chain = issuer.issue("localhost").chain();
    byte[] revoked = Libraries.CA.ocsp(issuer.certificate(), Status.REVOKED);
    TlsException refused =
        assertThrows(
            TlsException.class,
            () ->
                VERIFIER.verifyServer(
                    chain, "UNKNOWN", "localhost", List.of(new byte[0], revoked)));
    assertEquals(TlsAlert.CERTIFICATE_REVOKED, refused.alert());
  }

  @Test
  void certificateThatIsNotLinkedProvesNoPin() {
    PeerVerifier pinned =
        PeerVerifier.of(
            TlsTrust.DEFAULT
                .withCertificates(Libraries.CA.certificate())
                .withPins(Pins.pin(Libraries.OTHER.certificate())));
    List<X509Certificate> chain = new ArrayList<>(SERVER.chain());
    chain.add(Libraries.OTHER.certificate());
    TlsException refused =
        assertThrows(
            TlsException.class,
            () -> pinned.verifyServer(chain, "UNKNOWN", "localhost", List.of()));
    assertTrue(refused.getMessage().contains("pins"), refused::toString);
  }

  @Test
  void emptyChainIsRefused() {
    assertEquals(
        TlsAlert.BAD_CERTIFICATE,
        assertThrows(TlsException.class, () -> VERIFIER.verifyClient(List.of(), "EC")).alert());
  }

  @Test
  void certificateWithoutCaRightsIssuesNothing() {
    // The leaf signs another certificate, as any holder of a certificate could.
    TlsIdentity forged = TestCa.of(SERVER).issue("example.com");
    TlsException refused =
        assertThrows(
            TlsException.class,
            () -> VERIFIER.verifyServer(forged.chain(), "UNKNOWN", "example.com", List.of()));
    assertEquals(TlsAlert.BAD_CERTIFICATE, refused.alert(), refused::toString);
  }

  @Test
  void acceptedIssuersAreThoseOfTheSettings() {
    assertEquals(List.of(Libraries.CA.certificate()), VERIFIER.acceptedIssuers());
    assertEquals(List.of(), PeerVerifier.of(TlsTrust.DEFAULT).acceptedIssuers());
    assertEquals(
        List.of(),
        PeerVerifier.of(
                TlsTrust.DEFAULT.withAnchors(new TlsTrust.Anchors.Manager(TrustManagers.plain())))
            .acceptedIssuers());
  }

  @Test
  void anchorsOfTheSystemAreTheFirstBundle(@TempDir Path folder) throws Exception {
    Path bundle =
        Files.write(
            folder.resolve("a.crt"), PemTexts.certificates(List.of(Libraries.CA.certificate())));
    Path other =
        Files.write(
            folder.resolve("b.crt"), PemTexts.certificates(List.of(Libraries.OTHER.certificate())));
    Path missing = folder.resolve("missing.crt");
    Path broken = Files.write(folder.resolve("broken.crt"), new byte[] {1});
    assertEquals(
        List.of(Libraries.CA.certificate()),
        SystemAnchors.load(null, List.of(missing, bundle, other)).certificates());
    assertEquals(
        List.of(Libraries.OTHER.certificate()),
        SystemAnchors.load(other.toString(), List.of(bundle)).certificates());
    assertEquals(
        List.of(Libraries.CA.certificate()),
        SystemAnchors.load(null, List.of(broken, bundle)).certificates());
    assertTrue(SystemAnchors.load(null, List.of(missing)).certificates().size() > 20);
  }
}
