package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.system.NativeAccess;
import dev.quickwater.tls.testing.Libraries;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The library that AUTO selects, and the settings that the JDK refuses.
final class LibraryChoiceTest {

  @Test
  void openSslIsPreferredWhereItCanBeUsed() {
    LibraryChoice choice = LibraryChoice.of(TlsSettings.server(Libraries.LOCALHOST));
    if (NativeAccess.enabled()) {
      assertEquals(new LibraryChoice(TlsLibrary.OPENSSL, "faster than the JDK"), choice);
    } else {
      assertEquals(TlsLibrary.JDK, choice.library());
      assertTrue(choice.reason().contains("native access is not granted"), choice.reason());
    }
  }

  @Test
  void namedLibraryIsUsed() {
    TlsSettings settings = TlsSettings.client().withLibrary(TlsLibrary.JDK);
    assertEquals(new LibraryChoice(TlsLibrary.JDK, ""), LibraryChoice.of(settings));
    try (TlsContext context = TlsContext.client(settings)) {
      assertEquals("JDK 25 (SunJSSE)", context.description());
    }
  }

  @Test
  void descriptionHasTheReason() {
    try (TlsContext context = TlsContext.client(TlsSettings.client())) {
      String reason = LibraryChoice.of(TlsSettings.client()).reason();
      assertTrue(!reason.isEmpty() && context.description().endsWith(": " + reason));
    }
  }

  private static void assertRefused(TlsSettings settings, String setting) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> TlsContext.server(settings.withLibrary(TlsLibrary.JDK)));
    assertTrue(refused.getMessage().contains(setting), refused::getMessage);
  }

  @Test
  void whatTheJdkCannotDoIsRefused() {
    TlsSettings server = TlsSettings.server(Libraries.LOCALHOST);
    TlsProtocols protocols = TlsProtocols.DEFAULT;
    assertRefused(
        server.withEngine(TlsEngineSettings.DEFAULT.withKeyLog(Path.of("keys"))), "keyLog");
    assertRefused(
        server.withIdentities(TlsIdentities.of(Libraries.LOCALHOST.withOcspResponse(new byte[1]))),
        "OCSP");
    assertRefused(
        server.withSessions(
            new TlsSessions(false, 10, Duration.ofHours(1), TlsSessions.OFF.ticketKeys())),
        "tickets");
    assertRefused(
        server.withProtocols(protocols.withCipherSuites("TLS_NULL")), "cipherSuites has TLS_NULL");
    assertRefused(server.withProtocols(protocols.withGroups("nothing")), "groups has nothing");
    assertRefused(server.withIdentities(TlsIdentities.NONE), "identities");
  }
}
