package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.TlsTrust.Anchors;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import dev.quickwater.tls.TlsTrust.HostCheck;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.SuiteTest;
import dev.quickwater.tls.testing.TestCa;
import dev.quickwater.tls.testing.TrustManagers;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which peers are trusted, in both directions and versions; each refusal has one clear message and
/// the right alert.
final class PeerTrustTest extends SuiteTest {

  private static final TlsTrust TRUST =
      TlsTrust.DEFAULT.withCertificates(Libraries.CA.certificate());

  private EnginePair pair(Version version, TlsTrust trust, TlsIdentity server, String host) {
    return Libraries.pair(
            libraries.clientSettings().withTrust(trust).withProtocols(Libraries.only(version)),
            libraries.serverSettings().withIdentities(TlsIdentities.of(server)),
            host)
        .handshake();
  }

  private void assertServerRefused(
      TlsTrust trust, TlsIdentity server, String host, TlsAlert alert, String text) {
    for (Version version : Version.values()) {
      try (EnginePair pair = pair(version, trust, server, host)) {
        assertRefuses(pair.client(), alert, text);
        assertCertificateRefused(pair.server(), libraries.client(), alert);
      }
    }
  }

  private void assertServerAccepted(TlsTrust trust, TlsIdentity server, String host) {
    for (Version version : Version.values()) {
      try (EnginePair pair = pair(version, trust, server, host)) {
        assertOpen(pair);
      }
    }
  }

  private static TestCa.Issue localhost() {
    return new TestCa.Issue("server").withNames("localhost");
  }

  @Test
  void chainWithIntermediatesIsTrusted() {
    TestCa issuer = Libraries.CA.intermediate("A").intermediate("B");
    assertServerAccepted(TRUST, issuer.issue("localhost"), "localhost");
  }

  @Test
  void missingIntermediateIsRefused() {
    TlsIdentity whole = Libraries.CA.intermediate("A").issue("localhost");
    TlsIdentity cut = TlsIdentity.of(whole.key(), whole.chain().subList(0, 1));
    assertServerRefused(TRUST, cut, "localhost", TlsAlert.UNKNOWN_CA, "anchors");
  }

  @Test
  void unknownIssuerIsRefused() {
    assertServerRefused(
        TRUST, Libraries.OTHER.issue("localhost"), "localhost", TlsAlert.UNKNOWN_CA, "Other root");
  }

  @Test
  void selfSignedIsRefusedUnlessItIsAnAnchor() {
    TlsIdentity own = TestCa.selfSigned(localhost());
    assertServerRefused(TRUST, own, "localhost", TlsAlert.UNKNOWN_CA, "CN=server");
    assertServerAccepted(TRUST.withCertificates(own.chain().getFirst()), own, "localhost");
  }

  @Test
  void expiredAnchorIsRefused() {
    TlsIdentity own = TestCa.selfSigned(localhost().expired());
    assertServerRefused(
        TRUST.withCertificates(own.chain().getFirst()),
        own,
        "localhost",
        TlsAlert.CERTIFICATE_EXPIRED,
        "expired on");
  }

  @Test
  void expiredIsRefused() {
    TlsIdentity expired = Libraries.CA.issue(localhost().expired());
    assertServerRefused(TRUST, expired, "localhost", TlsAlert.CERTIFICATE_EXPIRED, "expired on");
  }

  @Test
  void notYetValidIsRefused() {
    TlsIdentity early = Libraries.CA.issue(localhost().notYetValid());
    assertServerRefused(
        TRUST, early, "localhost", TlsAlert.CERTIFICATE_EXPIRED, "not valid before");
  }

  @Test
  void certificateForClientsIsRefusedOnAServer() {
    TlsIdentity client = Libraries.CA.issue(localhost().withUsage(KeyPurposeId.id_kp_clientAuth));
    assertServerRefused(
        TRUST, client, "localhost", TlsAlert.UNSUPPORTED_CERTIFICATE, "extended key usage");
  }

  @Test
  void wrongHostIsRefusedForGivenAnchors() {
    assertServerRefused(
        TRUST,
        Libraries.LOCALHOST,
        "example.com",
        TlsAlert.CERTIFICATE_UNKNOWN,
        "not for example.com (setting hostCheck)");
  }

  @Test
  void wrongHostIsRefusedForAPlainTrustManager() {
    assertServerRefused(
        TRUST.withAnchors(new Anchors.Manager(TrustManagers.plain())),
        Libraries.OTHER.issue("other.example"),
        "example.com",
        TlsAlert.CERTIFICATE_UNKNOWN,
        "hostCheck");
  }

  @Test
  void wrongHostIsRefusedForAnExtendedTrustManager() {
    assertServerRefused(
        TRUST.withAnchors(new Anchors.Manager(TrustManagers.extended())),
        Libraries.OTHER.issue("other.example"),
        "example.com",
        TlsAlert.CERTIFICATE_UNKNOWN,
        "hostCheck");
  }

  @Test
  void wrongHostIsRefusedForASelfSignedAnchor() {
    TlsIdentity own = TestCa.selfSigned(localhost());
    assertServerRefused(
        TRUST.withCertificates(own.chain().getFirst()),
        own,
        "example.com",
        TlsAlert.CERTIFICATE_UNKNOWN,
        "hostCheck");
  }

  @Test
  void commonNameIsNoHostName() {
    TlsIdentity named = Libraries.CA.issue(new TestCa.Issue("localhost"));
    assertServerRefused(
        TRUST, named, "localhost", TlsAlert.CERTIFICATE_UNKNOWN, "not for localhost");
  }

  @Test
  void addressesAreVerified() {
    assertServerAccepted(TRUST, Libraries.LOCALHOST, "127.0.0.1");
    assertServerAccepted(TRUST, Libraries.LOCALHOST, "::1");
    assertServerRefused(
        TRUST, Libraries.LOCALHOST, "127.0.0.2", TlsAlert.CERTIFICATE_UNKNOWN, "hostCheck");
  }

  @Test
  void anyHostIsAcceptedIfTheCheckIsOff() {
    assertServerAccepted(TRUST.withHostCheck(HostCheck.OFF), Libraries.LOCALHOST, "example.com");
    assertServerRefused(
        TRUST.withHostCheck(HostCheck.OFF),
        Libraries.OTHER.issue("localhost"),
        "localhost",
        TlsAlert.UNKNOWN_CA,
        "anchors");
  }

  @Test
  void trustManagerOfTheUserDecidesAboutTheChain() {
    TlsTrust refusing = TRUST.withAnchors(new Anchors.Manager(TrustManagers.refusing("no way")));
    assertServerRefused(
        refusing, Libraries.LOCALHOST, "localhost", TlsAlert.CERTIFICATE_UNKNOWN, "no way");
    TlsTrust failing = TRUST.withAnchors(new Anchors.Manager(TrustManagers.failing()));
    for (Version version : Version.values()) {
      try (EnginePair pair = pair(version, failing, Libraries.LOCALHOST, "localhost")) {
        assertRefuses(pair.client(), TlsAlert.INTERNAL_ERROR, "trust manager failed");
      }
    }
  }

  @Test
  void pinMustBeInTheChain() throws Exception {
    TlsIdentity server = Libraries.CA.intermediate("A").issue("localhost");
    String leaf = pin(server.chain().getFirst());
    String intermediate = pin(server.chain().get(1));
    String root = pin(Libraries.CA.certificate());
    String other = pin(Libraries.OTHER.certificate());
    for (String good : List.of(leaf, intermediate, root)) {
      assertServerAccepted(TRUST.withPins(other, good), server, "localhost");
    }
    assertServerRefused(
        TRUST.withPins(other), server, "localhost", TlsAlert.BAD_CERTIFICATE, "pins");
  }

  @Test
  void stapledResponseIsVerified() {
    assumeTrue(libraries.server() == TlsLibrary.OPENSSL, "the JDK does not send given responses");
    X509Certificate certificate = Libraries.LOCALHOST.chain().getFirst();
    assertServerAccepted(
        TRUST,
        Libraries.LOCALHOST.withOcspResponse(Libraries.CA.ocsp(certificate, TestCa.Status.GOOD)),
        "localhost");
    assertServerRefused(
        TRUST,
        Libraries.LOCALHOST.withOcspResponse(Libraries.CA.ocsp(certificate, TestCa.Status.REVOKED)),
        "localhost",
        TlsAlert.CERTIFICATE_REVOKED,
        "revoked");
  }

  @Test
  void missingResponseIsRefusedIfTheCertificateRequiresOne() {
    TlsIdentity required = Libraries.CA.issue(localhost().withMustStaple());
    assertServerRefused(
        TRUST,
        required,
        "localhost",
        TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE,
        "requires an OCSP response (must-staple), and the server sent none");
    if (libraries.server() == TlsLibrary.OPENSSL) {
      X509Certificate certificate = required.chain().getFirst();
      assertServerAccepted(
          TRUST,
          required.withOcspResponse(Libraries.CA.ocsp(certificate, TestCa.Status.GOOD)),
          "localhost");
    }
  }

  private static String pin(X509Certificate certificate) throws Exception {
    return Base64.getEncoder()
        .encodeToString(
            MessageDigest.getInstance("SHA-256").digest(certificate.getPublicKey().getEncoded()));
  }

  private EnginePair mutual(
      Version version, ClientAuth auth, TlsIdentities client, String serverHost) {
    return Libraries.pair(
            libraries
                .clientSettings()
                .withIdentities(client)
                .withProtocols(Libraries.only(version)),
            libraries.serverSettings().withTrust(TRUST.withClientAuth(auth)),
            serverHost)
        .handshake();
  }

  @ParameterizedTest
  @EnumSource
  void clientCertificateIsVerified(Version version) throws Exception {
    TlsIdentity client =
        Libraries.CA.issue(new TestCa.Issue("client").withUsage(KeyPurposeId.id_kp_clientAuth));
    for (ClientAuth auth : List.of(ClientAuth.OPTIONAL, ClientAuth.REQUIRED)) {
      try (EnginePair pair = mutual(version, auth, TlsIdentities.of(client), "localhost")) {
        assertOpen(pair);
        assertEquals(
            client.chain(), List.of(pair.server().engine().session().ssl().getPeerCertificates()));
      }
    }
    try (EnginePair pair =
        mutual(version, ClientAuth.NONE, TlsIdentities.of(client), "localhost")) {
      assertOpen(pair);
      assertThrows(
          SSLPeerUnverifiedException.class,
          () -> pair.server().engine().session().ssl().getPeerCertificates());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeOfClientKeyWorks(TestCa.KeyType type) {
    TlsIdentity client = Libraries.CA.issue(new TestCa.Issue("client").withKey(type));
    for (Version version : Version.values()) {
      try (EnginePair pair =
          mutual(version, ClientAuth.REQUIRED, TlsIdentities.of(client), "localhost")) {
        assertOpen(pair);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientWithoutCertificateIsRefusedIfRequired(Version version) {
    try (EnginePair pair = mutual(version, ClientAuth.OPTIONAL, TlsIdentities.NONE, "localhost")) {
      assertOpen(pair);
    }
    TlsAlert alert =
        version == Version.TLS_1_3 ? TlsAlert.CERTIFICATE_REQUIRED : TlsAlert.HANDSHAKE_FAILURE;
    try (EnginePair pair = mutual(version, ClientAuth.REQUIRED, TlsIdentities.NONE, "localhost")) {
      assertRefuses(pair.server(), alert, "clientAuth");
      assertRefused(pair.client(), alert);
    }
  }

  @ParameterizedTest
  @EnumSource
  void untrustedClientIsRefused(Version version) {
    TlsIdentity unknown = Libraries.OTHER.issue(new TestCa.Issue("client"));
    TlsIdentity expired = Libraries.CA.issue(new TestCa.Issue("client").expired());
    TlsIdentity server =
        Libraries.CA.issue(new TestCa.Issue("client").withUsage(KeyPurposeId.id_kp_serverAuth));
    for (ClientAuth auth : List.of(ClientAuth.OPTIONAL, ClientAuth.REQUIRED)) {
      assertClientRefused(version, auth, unknown, TlsAlert.UNKNOWN_CA, "Other root");
      assertClientRefused(version, auth, expired, TlsAlert.CERTIFICATE_EXPIRED, "expired on");
      assertClientRefused(
          version, auth, server, TlsAlert.UNSUPPORTED_CERTIFICATE, "TLS client authentication");
    }
  }

  private void assertClientRefused(
      Version version, ClientAuth auth, TlsIdentity client, TlsAlert alert, String text) {
    try (EnginePair pair = mutual(version, auth, TlsIdentities.of(client), "localhost")) {
      assertRefuses(pair.server(), alert, text);
      assertCertificateRefused(pair.client(), libraries.server(), alert);
    }
  }

  @Test
  void withoutAnchorsNothingCanBeTrusted() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                TlsContext.client(libraries.clientSettings().withTrust(TRUST.withCertificates())));
    assertTrue(refused.getMessage().contains("anchors"), refused::toString);
  }
}
