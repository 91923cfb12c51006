package dev.quickwater.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.TlsSessions;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTicketKey;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenSslResumptionTest {

  private static TlsSettings with(TlsSettings settings, Version version) {
    return settings.withProtocols(settings.protocols().withVersions(version));
  }

  private static boolean resumes(TlsContext client, TlsContext server) throws Exception {
    return resumes(client, server, "localhost");
  }

  private static boolean resumes(TlsContext client, TlsContext server, String host)
      throws Exception {
    try (Pair pair = new Pair(client, server, host).exchange()) {
      assertNull(pair.clientFailure);
      assertNull(pair.serverFailure);
      assertEquals(pair.client.session().resumed(), pair.server.session().resumed());
      assertEquals(
          TestKeys.identity("ec").chain().getFirst(),
          pair.client.session().ssl().getPeerCertificates()[0]);
      return pair.client.session().resumed();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void everyFurtherConnectionResumes(Version version) throws Exception {
    try (TlsContext client = TlsContext.client(with(TestKeys.client(), version));
        TlsContext server = TlsContext.server(TestKeys.server())) {
      assertFalse(resumes(client, server));
      for (int i = 0; i < 10; i++) {
        assertTrue(resumes(client, server), "connection " + i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void otherHostDoesNotResume(Version version) throws Exception {
    try (TlsContext client = TlsContext.client(with(TestKeys.client(), version));
        TlsContext server = TlsContext.server(TestKeys.server())) {
      assertFalse(resumes(client, server));
      assertFalse(resumes(client, server, "www.example.com"));
      assertFalse(resumes(client, server, "127.0.0.1"));
      assertTrue(resumes(client, server, "www.example.com"));
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void settingsWithoutSessionsNeverResume(Version version) throws Exception {
    TlsSettings settings = with(TestKeys.client(), version);
    try (TlsContext client = TlsContext.client(settings);
        TlsContext server = TlsContext.server(TestKeys.server().withSessions(TlsSessions.OFF))) {
      assertFalse(resumes(client, server));
      assertFalse(resumes(client, server));
    }
    try (TlsContext client = TlsContext.client(settings.withSessions(TlsSessions.OFF));
        TlsContext server = TlsContext.server(TestKeys.server())) {
      assertFalse(resumes(client, server));
      assertFalse(resumes(client, server));
    }
  }

  @Test
  void cacheOfTheServerResumesWithoutTickets() throws Exception {
    var sessions = new TlsSessions(false, 10, Duration.ofHours(1), List.of());
    try (TlsContext client = TlsContext.client(with(TestKeys.client(), Version.TLS_1_2));
        TlsContext server = TlsContext.server(TestKeys.server().withSessions(sessions))) {
      assertFalse(resumes(client, server));
      assertTrue(resumes(client, server));
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void hostsWithEqualTicketKeysResumeSessionsOfEachOther(Version version) throws Exception {
    TlsTicketKey old = TlsTicketKey.random();
    TlsTicketKey next = TlsTicketKey.random();
    TlsSettings settings = TestKeys.server();
    try (TlsContext client = TlsContext.client(with(TestKeys.client(), version));
        TlsContext one =
            TlsContext.server(settings.withSessions(TlsSessions.DEFAULT.withTicketKeys(old)));
        TlsContext both =
            TlsContext.server(
                settings.withSessions(TlsSessions.DEFAULT.withTicketKeys(next, old)));
        TlsContext other =
            TlsContext.server(
                settings.withSessions(TlsSessions.DEFAULT.withTicketKeys(TlsTicketKey.random())))) {
      assertFalse(resumes(client, one));
      assertTrue(resumes(client, both), "the second key decrypts");
      assertTrue(resumes(client, both));
      assertFalse(resumes(client, other));
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void sessionSurvivesRenewedCertificatesButNotOtherTrust(Version version) throws Exception {
    TlsTrust trust = TestKeys.client().trust().withClientAuth(ClientAuth.OPTIONAL);
    TlsSettings settings = TestKeys.server().withTrust(trust);
    try (TlsContext client =
            TlsContext.client(
                with(TestKeys.client(), version)
                    .withIdentities(TlsIdentities.of(TestKeys.identity("client"))));
        TlsContext server = TlsContext.server(settings)) {
      assertFalse(resumes(client, server));
      server.replace(settings);
      assertTrue(resumes(client, server));
      server.replace(settings.withTrust(trust.withClientAuth(ClientAuth.REQUIRED)));
      assertFalse(resumes(client, server));
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void resumedSessionHasTheCertificateOfTheClient(Version version) throws Exception {
    TlsTrust trust = TestKeys.client().trust().withClientAuth(ClientAuth.REQUIRED);
    TlsIdentity identity = TestKeys.identity("client");
    try (TlsContext client =
            TlsContext.client(
                with(TestKeys.client(), version).withIdentities(TlsIdentities.of(identity)));
        TlsContext server = TlsContext.server(TestKeys.server().withTrust(trust))) {
      for (int i = 0; i < 3; i++) {
        try (Pair pair = new Pair(client, server).exchange()) {
          assertEquals(i > 0, pair.server.session().resumed());
          assertEquals(
              identity.chain().getFirst(), pair.server.session().ssl().getPeerCertificates()[0]);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void sessionOfOneIdentityIsNotResumedByAnother(Version version) throws Exception {
    TlsIdentity identity = TestKeys.identity("ec");
    var names = new TlsIdentities(identity, Map.of("www.example.com", identity));
    TlsTicketKey key = TlsTicketKey.random();
    TlsSettings settings = TestKeys.server().withSessions(TlsSessions.DEFAULT.withTicketKeys(key));
    try (TlsContext client = TlsContext.client(with(TestKeys.client(), version));
        TlsContext byDefault = TlsContext.server(settings);
        TlsContext byName = TlsContext.server(settings.withIdentities(names))) {
      assertFalse(resumes(client, byDefault, "www.example.com"));
      assertFalse(resumes(client, byName, "www.example.com"));
    }
  }

  @Test
  void connectionBegunBeforeTheSettingsWereReplacedIsAccepted() throws Exception {
    try (TlsContext client = TlsContext.client(TestKeys.client());
        TlsContext server = TlsContext.server(TestKeys.server())) {
      try (Pair pair = new Pair(client, server)) {
        server.replace(
            TestKeys.server().withIdentities(TlsIdentities.of(TestKeys.identity("rsa"))));
        pair.exchange();
        assertEquals(
            TestKeys.identity("ec").chain().getFirst(),
            pair.client.session().ssl().getPeerCertificates()[0]);
      }
    }
  }

  @Test
  void leastRecentlyUsedServerIsForgotten() throws Exception {
    var sessions = new TlsSessions(true, 2, Duration.ofHours(1), List.of());
    TlsSettings settings = with(TestKeys.client(), Version.TLS_1_2).withSessions(sessions);
    try (TlsContext client = TlsContext.client(settings);
        TlsContext server = TlsContext.server(TestKeys.server())) {
      assertFalse(resumes(client, server, "a.example.com"));
      assertFalse(resumes(client, server, "b.example.com"));
      assertTrue(resumes(client, server, "a.example.com"));
      assertFalse(resumes(client, server, "c.example.com"));
      assertTrue(resumes(client, server, "a.example.com"));
      assertFalse(resumes(client, server, "b.example.com"));
    }
  }

  @Test
  void keysOfTheProcessChangeAndOldOnesDecryptUntilSessionsExpire() {
    long[] now = {0};
    var keys = new TicketKeys(List.of(), () -> now[0]);
    keys.retain(Duration.ofHours(2));
    byte[] first = keys.current().getFirst().name();
    assertArrayEquals(first, keys.current().getFirst().name());
    now[0] += TicketKeys.ROTATION.toNanos();
    assertEquals(2, keys.current().size());
    assertArrayEquals(first, keys.current().getLast().name());
    now[0] += TicketKeys.ROTATION.toNanos();
    assertEquals(3, keys.current().size());
    now[0] += TicketKeys.ROTATION.toNanos();
    assertEquals(3, keys.current().size(), "the first key has expired");
  }
}
