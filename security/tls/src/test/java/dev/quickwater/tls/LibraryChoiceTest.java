package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.testing.Libraries;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The library that AUTO selects, and the settings that the JDK refuses.
final class LibraryChoiceTest {

  @ParameterizedTest
  @CsvSource({
    "0x1010112f, OPENSSL",
    "0x30000130, JDK",
    "0x30400010, JDK",
    "0x30500080, OPENSSL",
    "0x40000000, OPENSSL"
  })
  void versionDecides(String version, TlsLibrary expected) {
    assertEquals(expected, LibraryChoice.of(Long.decode(version), false).library());
    assertEquals(TlsLibrary.OPENSSL, LibraryChoice.of(Long.decode(version), true).library());
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
