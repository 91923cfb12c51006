package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.SuiteTest;
import dev.quickwater.tls.testing.TestCa;
import java.security.cert.X509Certificate;
import java.util.Map;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The requested host name selects the identity of a server.
final class ServerNameTest extends SuiteTest {

  private static final TlsIdentity EXACT = named("exact", "a.example.com");
  private static final TlsIdentity WILDCARD = named("wildcard", "*.example.com");
  private static final TlsIdentity DEFAULT = named("default", "other.example", "127.0.0.1");

  private static TlsIdentity named(String subject, String... names) {
    return Libraries.CA.issue(new TestCa.Issue(subject).withNames(names));
  }

  private static TlsIdentities identities(@Nullable TlsIdentity other) {
    return new TlsIdentities(other, Map.of("A.Example.com", EXACT, "*.example.com", WILDCARD));
  }

  private EnginePair pair(TlsIdentities identities, String host, Version version) {
    return Libraries.pair(
            libraries.clientSettings().withProtocols(Libraries.only(version)),
            libraries.serverSettings().withIdentities(identities),
            host)
        .handshake();
  }

  private void assertSelects(TlsIdentity expected, String host, @Nullable String sent) {
    for (Version version : Version.values()) {
      try (EnginePair pair = pair(identities(DEFAULT), host, version)) {
        assertOpen(pair);
        assertEquals(expected.chain().getFirst(), certificate(pair));
        assertEquals(sent, pair.server().engine().session().serverName());
      }
    }
  }

  private static X509Certificate certificate(EnginePair pair) {
    try {
      return (X509Certificate) pair.client().engine().session().ssl().getPeerCertificates()[0];
    } catch (SSLPeerUnverifiedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void exactNameIsPreferred() {
    assertSelects(EXACT, "a.example.com", "a.example.com");
    assertSelects(EXACT, "A.EXAMPLE.COM", "a.example.com");
    assertSelects(EXACT, "a.example.com.", "a.example.com");
  }

  @Test
  void wildcardMatchesOneLabel() {
    assertSelects(WILDCARD, "b.example.com", "b.example.com");
  }

  @Test
  void otherNamesSelectTheDefault() {
    assertSelects(DEFAULT, "other.example", "other.example");
  }

  @Test
  void namesThatTheJdkDoesNotRequestAreRefusedByIt() {
    try (TlsContext client = TlsContext.client(libraries.clientSettings())) {
      for (String host : new String[] {"a_b.example", "_a.example"}) {
        if (libraries.client() == TlsLibrary.JDK) {
          String message =
              assertThrows(
                      IllegalArgumentException.class, () -> TlsHandler.client(client, host, 443))
                  .getMessage();
          assertTrue(message.contains(host) && message.contains("OPENSSL"), message);
        } else {
          TlsHandler.client(client, host, 443);
        }
      }
    }
  }

  @Test
  void hostOfAHandlerIsCheckedAtOnce() {
    try (TlsContext client = TlsContext.client(libraries.clientSettings())) {
      assertThrows(
          IllegalArgumentException.class, () -> TlsHandler.client(client, "a b.example", 443));
    }
  }

  @Test
  void addressIsNotSent() {
    assertSelects(DEFAULT, "127.0.0.1", null);
  }

  @Test
  void unknownNameIsRefusedWithoutDefault() {
    for (Version version : Version.values()) {
      for (String host : new String[] {"x.y.example.com", "example.com", "example.org"}) {
        try (EnginePair pair = pair(identities(null), host, version)) {
          assertRefuses(pair.server(), TlsAlert.UNRECOGNIZED_NAME, host);
          assertRefused(pair.client(), TlsAlert.UNRECOGNIZED_NAME);
        }
      }
      try (EnginePair pair = pair(identities(null), "127.0.0.1", version)) {
        assertRefuses(pair.server(), TlsAlert.UNRECOGNIZED_NAME, "no host name");
      }
    }
  }

  @Test
  void namesOfIdentitiesAreChecked() {
    for (String wrong : new String[] {"", "*", "*.", "a.*.example", "127.0.0.1", "a b"}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> TlsIdentities.NONE.with(wrong, EXACT),
          () -> "accepted: " + wrong);
    }
    assertEquals(
        EXACT, TlsIdentities.NONE.with("Bücher.example", EXACT).select("xn--bcher-kva.example"));
    assertNull(TlsIdentities.NONE.with("a.example", EXACT).select(null));
  }

  @Test
  void hostOfAClientIsChecked() {
    try (TlsContext client = TlsContext.client(libraries.clientSettings())) {
      for (String wrong : new String[] {"", "a b", "a/b", "*.example.com", "a:1"}) {
        assertThrows(
            IllegalArgumentException.class,
            () -> client.connect(wrong, 443, ByteBufAllocator.shared()),
            () -> "accepted: " + wrong);
      }
    }
  }
}
