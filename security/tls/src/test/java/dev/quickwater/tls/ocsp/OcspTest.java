package dev.quickwater.tls.ocsp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.TestCa;
import dev.quickwater.tls.testing.TestCa.Issue;
import dev.quickwater.tls.testing.TestCa.Status;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Requests and responses of OCSP, compared with those of Bouncy Castle.
final class OcspTest {

  private static final TestCa CA = Libraries.CA;
  private static final X509Certificate LEAF = Libraries.LOCALHOST.chain().getFirst();

  @Test
  void requestNamesTheCertificate() throws Exception {
    OCSPReq request = new OCSPReq(OcspRequest.of(LEAF, CA.certificate()));
    CertificateID expected =
        new CertificateID(
            new JcaDigestCalculatorProviderBuilder().build().get(CertificateID.HASH_SHA1),
            new JcaX509CertificateHolder(CA.certificate()),
            LEAF.getSerialNumber());
    assertEquals(1, request.getRequestList().length);
    assertEquals(expected, request.getRequestList()[0].getCertID());
    assertFalse(request.hasExtensions());
  }

  private static OcspResponse verified(byte[] encoded) throws TlsException {
    return OcspResponse.verified(encoded, LEAF, CA.certificate());
  }

  @Test
  void goodResponseHasItsTimes() throws TlsException {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    byte[] encoded = CA.ocsp(LEAF, Status.GOOD, now.minusSeconds(60), now.plusSeconds(600));
    OcspResponse response = verified(encoded);
    assertArrayEquals(encoded, response.encoded());
    assertEquals(now.minusSeconds(60), response.thisUpdate());
    assertEquals(now.plusSeconds(600), response.nextUpdate());
  }

  private static void assertRefused(byte[] encoded, String text) {
    Exception refused = assertThrows(Exception.class, () -> verified(encoded));
    assertTrue(refused.getMessage().contains(text), refused::toString);
  }

  @Test
  void otherResponsesAreRefused() {
    Instant now = Instant.now();
    assertRefused(CA.ocsp(LEAF, Status.REVOKED), "revoked");
    assertRefused(CA.ocsp(LEAF, Status.UNKNOWN), "cannot be accepted");
    assertRefused(
        CA.ocsp(LEAF, Status.GOOD, now.minusSeconds(20_000), now.minusSeconds(10_000)),
        "cannot be accepted");
    assertRefused(
        CA.ocsp(LEAF, Status.GOOD, now.plusSeconds(10_000), now.plusSeconds(20_000)),
        "cannot be accepted");
    assertRefused(Libraries.OTHER.ocsp(LEAF, Status.GOOD), "cannot be accepted");
    assertRefused(
        CA.ocsp(CA.issue("other.example").chain().getFirst(), Status.GOOD),
        "is about other certificates");
    assertRefused(new byte[] {0x30, 3, 0x0a, 1, 3}, "tryLater");
    assertRefused(new byte[] {0x30, 3, 0x0a, 1, 6}, "unauthorized");
  }

  @Test
  void everyCutAndEveryChangedByteIsRefused() {
    byte[] good = CA.ocsp(LEAF, Status.GOOD);
    for (int i = 0; i < good.length; i++) {
      byte[] cut = Arrays.copyOf(good, i);
      Exception refused = assertThrows(Exception.class, () -> verified(cut));
      assertTrue(
          refused instanceof IllegalArgumentException || refused instanceof TlsException,
          refused::toString);
      byte[] changed = good.clone();
      changed[i] ^= 1;
      try {
        verified(changed);
      } catch (IllegalArgumentException | TlsException _) {
        // No other exception; a byte outside of the signed part may be without effect.
      }
    }
  }

  @Test
  void certificateNamesResponderAndFeatures() {
    TlsIdentity plain = CA.issue("localhost");
    assertNull(CertificateExtensions.responder(plain.chain().getFirst()));
    assertFalse(CertificateExtensions.mustStaple(plain.chain().getFirst()));
    X509Certificate with =
        CA.issue(new Issue("leaf").withMustStaple().withResponder("http://ocsp.example/a"))
            .chain()
            .getFirst();
    assertEquals(URI.create("http://ocsp.example/a"), CertificateExtensions.responder(with));
    assertTrue(CertificateExtensions.mustStaple(with));
    assertEquals(URI.create("HTTP://ocsp.example"), responder("HTTP://ocsp.example"));
    assertNull(responder("https://ocsp.example"), "only http is supported");
    assertNull(responder("http://a b/%"), "not a URI");
    assertNull(responder("http:///path"), "no host");
  }

  private static @Nullable URI responder(String address) {
    return CertificateExtensions.responder(
        CA.issue(new Issue("leaf").withResponder(address)).chain().getFirst());
  }
}
