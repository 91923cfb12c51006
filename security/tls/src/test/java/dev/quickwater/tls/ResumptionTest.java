package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.SuiteTest;
import dev.quickwater.tls.testing.TestCa;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// When a session is resumed, and when it must not be.
final class ResumptionTest extends SuiteTest {

  private TlsSettings client(Version version) {
    return libraries.clientSettings().withProtocols(Libraries.only(version));
  }

  private static boolean resumes(TlsContext client, TlsContext server, String host, int port) {
    try (EnginePair pair = new EnginePair(client, server, host, port)) {
      assertOpen(pair.handshake());
      // Tickets of TLS 1.3 arrive after the handshake.
      pair.exchange(pair.client().write(new byte[1]), pair.server().write(new byte[1]));
      boolean resumed = pair.client().engine().session().resumed();
      assertEquals(resumed, pair.server().engine().session().resumed());
      pair.exchange(pair.client().end(), pair.server().end());
      return resumed;
    }
  }

  @ParameterizedTest
  @EnumSource
  void secondConnectionResumes(Version version) throws Exception {
    TlsContext client = TlsContext.client(client(version));
    TlsContext server = TlsContext.server(libraries.serverSettings());
    assertEquals(false, resumes(client, server, "localhost", 443));
    for (int i = 0; i < 3; i++) {
      assertEquals(true, resumes(client, server, "localhost", 443));
    }
  }

  @ParameterizedTest
  @EnumSource
  void certificatesOfAResumedSessionAreThoseThatWereVerified(Version version) throws Exception {
    TlsTrust trust =
        TlsTrust.DEFAULT
            .withCertificates(Libraries.CA.certificate())
            .withClientAuth(ClientAuth.REQUIRED);
    TlsIdentity identity = Libraries.CA.issue(new TestCa.Issue("client"));
    TlsContext client =
        TlsContext.client(client(version).withIdentities(TlsIdentities.of(identity)));
    TlsContext server = TlsContext.server(libraries.serverSettings().withTrust(trust));
    assertEquals(false, resumes(client, server, "localhost", 443));
    try (EnginePair pair = new EnginePair(client, server, "localhost", 443)) {
      assertOpen(pair.handshake());
      TlsSession ofServer = pair.server().engine().session();
      assertEquals(true, ofServer.resumed());
      assertEquals(identity.chain(), List.of(ofServer.ssl().getPeerCertificates()));
      assertEquals(
          Libraries.LOCALHOST.chain(),
          List.of(pair.client().engine().session().ssl().getPeerCertificates()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherHostOrPortDoesNotResume(Version version) {
    TlsContext client = TlsContext.client(client(version));
    TlsContext server = TlsContext.server(libraries.serverSettings());
    resumes(client, server, "localhost", 443);
    assertEquals(false, resumes(client, server, "127.0.0.1", 443));
    assertEquals(false, resumes(client, server, "localhost", 8443));
    assertEquals(true, resumes(client, server, "LOCALHOST", 443));
  }

  @ParameterizedTest
  @EnumSource
  void sessionOfOneHostIsNoProofForAnother(Version version) {
    // The server has a certificate for localhost only, and would resume the session.
    TlsContext client = TlsContext.client(client(version));
    TlsContext server = TlsContext.server(libraries.serverSettings());
    resumes(client, server, "localhost", 443);
    try (EnginePair pair = new EnginePair(client, server, "example.com", 443).handshake()) {
      assertRefuses(pair.client(), TlsAlert.CERTIFICATE_UNKNOWN, "example.com");
    }
  }

  @ParameterizedTest
  @EnumSource
  void replacedTrustOfTheClientDoesNotResume(Version version) {
    TlsContext client = TlsContext.client(client(version));
    TlsContext server = TlsContext.server(libraries.serverSettings());
    resumes(client, server, "localhost", 443);
    client.replace(
        client(version)
            .withTrust(TlsTrust.DEFAULT.withCertificates(Libraries.OTHER.certificate())));
    try (EnginePair pair = new EnginePair(client, server, "localhost", 443).handshake()) {
      assertRefuses(pair.client(), TlsAlert.UNKNOWN_CA, "anchors");
    }
  }

  @ParameterizedTest
  @EnumSource
  void replacedTrustOfTheServerDoesNotResume(Version version) {
    TlsTrust trust =
        TlsTrust.DEFAULT
            .withCertificates(Libraries.CA.certificate())
            .withClientAuth(ClientAuth.REQUIRED);
    TlsContext client =
        TlsContext.client(
            client(version)
                .withIdentities(TlsIdentities.of(Libraries.CA.issue(new TestCa.Issue("client")))));
    TlsContext server = TlsContext.server(libraries.serverSettings().withTrust(trust));
    resumes(client, server, "localhost", 443);
    server.replace(
        libraries
            .serverSettings()
            .withTrust(trust.withCertificates(Libraries.OTHER.certificate())));
    try (EnginePair pair = new EnginePair(client, server, "localhost", 443).handshake()) {
      assertRefuses(pair.server(), TlsAlert.UNKNOWN_CA, "anchors");
    }
  }

  @ParameterizedTest
  @EnumSource
  void offNeverResumes(Version version) {
    for (boolean off : new boolean[] {true, false}) {
      TlsContext client =
          TlsContext.client(
              client(version).withSessions(off ? TlsSessions.OFF : TlsSessions.DEFAULT));
      TlsContext server =
          TlsContext.server(
              libraries.serverSettings().withSessions(off ? TlsSessions.DEFAULT : TlsSessions.OFF));
      for (int i = 0; i < 3; i++) {
        assertEquals(false, resumes(client, server, "localhost", 443));
      }
    }
  }

  private void assertNeverResumes(Version version, TlsSessions sessions) {
    TlsContext client = TlsContext.client(client(version).withSessions(sessions));
    TlsContext server = TlsContext.server(libraries.serverSettings());
    for (int i = 0; i < 3; i++) {
      assertEquals(false, resumes(client, server, "localhost", 443));
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientWithoutACacheNeverResumes(Version version) {
    assertNeverResumes(version, new TlsSessions(true, 0, Duration.ofHours(1), List.of()));
    assertNeverResumes(version, new TlsSessions(false, 0, Duration.ofHours(1), List.of()));
  }

  @Test
  void clientWithoutTicketsNeverResumesInTls13() {
    assumeTrue(libraries.client() == TlsLibrary.OPENSSL, "the JDK refuses these settings");
    assertNeverResumes(
        Version.TLS_1_3, new TlsSessions(false, 100, Duration.ofHours(1), List.of()));
  }

  @ParameterizedTest
  @EnumSource
  void replaceAffectsNewConnectionsOnly(Version version) throws Exception {
    TlsContext client = TlsContext.client(client(version).withSessions(TlsSessions.OFF));
    TlsContext server = TlsContext.server(libraries.serverSettings());
    TlsIdentity renewed = Libraries.CA.issue("localhost");
    try (EnginePair open = new EnginePair(client, server, "localhost", 443);
        EnginePair begun = new EnginePair(client, server, "localhost", 443)) {
      assertOpen(open.handshake());
      byte[] hello = begun.client().start();
      server.replace(libraries.serverSettings().withIdentities(TlsIdentities.of(renewed)));
      begun.exchange(hello, new byte[0]);
      assertOpen(begun);
      assertEquals(
          Libraries.LOCALHOST.chain(),
          List.of(begun.client().engine().session().ssl().getPeerCertificates()));
      open.exchange(open.client().write(new byte[10]), open.server().write(new byte[20]));
      assertEquals(10, open.server().received().length);
      assertEquals(20, open.client().received().length);
    }
    try (EnginePair next = new EnginePair(client, server, "localhost", 443)) {
      assertOpen(next.handshake());
      assertEquals(
          renewed.chain(), List.of(next.client().engine().session().ssl().getPeerCertificates()));
    }
  }
}
