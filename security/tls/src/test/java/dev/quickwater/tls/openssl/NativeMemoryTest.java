package dev.quickwater.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Whether OpenSSL's objects are freed: the resident memory of the process stays flat after a
/// warm-up.
@EnabledOnOs(OS.LINUX)
class NativeMemoryTest {

  private static final int PAGE = 4096;

  /// An `SSL` takes more than 8 KiB and a handshake has two, so a leak of one in four connections
  /// exceeds this within the shortest run.
  private static final long MAX_GROWTH = 12 << 20;

  private static final TlsTrust TRUST =
      TestKeys.client().trust().withClientAuth(ClientAuth.REQUIRED);

  private static long resident() throws IOException {
    String[] fields = Files.readString(Path.of("/proc/self/statm")).split(" ");
    return Long.parseLong(fields[1]) * PAGE;
  }

  private interface Work {
    void run(int round) throws Exception;
  }

  private static void requireFlat(int warmup, int rounds, Work work) throws Exception {
    for (int i = 0; i < warmup; i++) {
      work.run(i);
    }
    System.gc();
    long before = resident();
    for (int i = 0; i < rounds; i++) {
      work.run(i);
    }
    System.gc();
    long growth = resident() - before;
    assertTrue(growth < MAX_GROWTH, growth + " bytes after " + rounds + " rounds");
  }

  private static TlsSettings client() {
    return TestKeys.client().withIdentities(TlsIdentities.of(TestKeys.identity("client")));
  }

  /// Complete, refused by the server, and abandoned in the middle, in turn.
  private static void handshakes(int warmup, int rounds) throws Exception {
    TlsSettings refused = TestKeys.client();
    try (TlsContext server = TlsContext.server(TestKeys.server().withTrust(TRUST));
        TlsContext client = TlsContext.client(client());
        TlsContext other = TlsContext.client(refused)) {
      requireFlat(
          warmup,
          rounds,
          i -> {
            try (Pair pair = new Pair(i % 3 == 1 ? other : client, server)) {
              if (i % 3 != 2) {
                pair.exchange();
                assertEquals(i % 3 == 0, pair.server.isOpen());
              }
            }
          });
    }
  }

  @Test
  void handshakesReturnTheirMemory() throws Exception {
    handshakes(3_000, 4_000);
  }

  @Tag("full")
  @Test
  void aMillionHandshakesReturnTheirMemory() throws Exception {
    handshakes(20_000, 1_000_000);
  }
}
