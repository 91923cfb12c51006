package dev.quickwater.tls.selfsigned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsEngine;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Certificates for development are found by the service loader and accepted for their names.
final class SelfSignedTest {

  private static X509Certificate certificate(TlsSettings settings) {
    return settings.identities().all().iterator().next().chain().getFirst();
  }

  @Test
  void namesAndAddressesAreInTheCertificate() throws Exception {
    X509Certificate certificate =
        certificate(TlsSettings.selfSigned("LOCALHOST", "127.0.0.1", "[::1]", "bücher.example"));
    assertEquals(
        List.of(
            List.of(2, "localhost"),
            List.of(7, "127.0.0.1"),
            List.of(7, "0:0:0:0:0:0:0:1"),
            List.of(2, "xn--bcher-kva.example")),
        List.copyOf(certificate.getSubjectAlternativeNames()));
    certificate.checkValidity();
  }

  @Test
  void eachCertificateHasAnotherNumber() {
    assertTrue(
        !certificate(TlsSettings.selfSigned("a"))
            .getSerialNumber()
            .equals(certificate(TlsSettings.selfSigned("a")).getSerialNumber()));
  }

  @Test
  void wrongNamesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> TlsSettings.selfSigned());
    assertThrows(IllegalArgumentException.class, () -> TlsSettings.selfSigned("a b"));
  }

  @Test
  void clientThatTrustsTheCertificateConnects() throws TlsException {
    TlsSettings settings = TlsSettings.selfSigned("localhost").withLibrary(TlsLibrary.JDK);
    TlsSettings trusting =
        TlsSettings.client()
            .withLibrary(TlsLibrary.JDK)
            .withTrust(TlsTrust.DEFAULT.withCertificates(certificate(settings)));
    ByteBufAllocator allocator = ByteBufAllocator.shared();
    try (TlsEngine server = TlsContext.server(settings).accept(allocator);
        TlsEngine client = TlsContext.client(trusting).connect("localhost", 443, allocator)) {
      client.start();
      server.start();
      for (int i = 0; i < 4; i++) {
        move(client, server);
        move(server, client);
      }
      assertTrue(client.isOpen());
      assertTrue(server.isOpen());
    }
  }

  private static void move(TlsEngine from, TlsEngine to) throws TlsException {
    @Nullable ByteBuf output = from.takeOutput();
    if (output != null) {
      to.receive(output);
      assertEquals(null, to.read());
    }
  }
}
