package dev.quickwater.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every object of OpenSSL is freed once, also if the creation of the next one fails.
class OwnershipTest {

  /// Both sides with client certificates, a replaced context, a resumed connection.
  private static void scenario() throws Exception {
    TlsTrust trust = TestKeys.client().trust().withClientAuth(ClientAuth.REQUIRED);
    TlsSettings settings = TestKeys.server().withTrust(trust);
    TlsIdentities identities = TlsIdentities.of(TestKeys.identity("client"));
    try (TlsContext server = TlsContext.server(settings);
        TlsContext client = TlsContext.client(TestKeys.client().withIdentities(identities))) {
      for (int i = 0; i < 3; i++) {
        try (Pair pair = new Pair(client, server)) {
          if (i == 1) {
            server.replace(settings);
          }
          pair.exchange();
          assertTrue(pair.client.isOpen() && pair.server.isOpen());
        }
      }
    }
  }

  @Test
  void everyObjectIsFreedOnce() throws Exception {
    try (var pointers = new OwnedPointers(0)) {
      scenario();
      assertTrue(pointers.created() > 20, pointers.created() + " objects");
      assertEquals(List.of(), pointers.faults());
    }
  }

  @Test
  void everyObjectIsFreedOnceWhenTheCreationOfOneFails() throws Exception {
    int count;
    try (var pointers = new OwnedPointers(0)) {
      scenario();
      count = pointers.created();
    }
    for (int failing = 1; failing <= count; failing++) {
      try (var pointers = new OwnedPointers(failing)) {
        try {
          scenario();
        } catch (IllegalArgumentException | IllegalStateException | OutOfMemoryError _) {
          // the creation of a context or connection has failed
        } catch (AssertionError _) {
          // a connection is not open
        }
        assertEquals(List.of(), pointers.faults(), "creation " + failing + " failed");
      }
    }
  }
}
