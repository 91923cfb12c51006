package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.common.LeakTracker;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/// The bytes of Java heap that one record of OpenSSL costs: the handles of its buffers, and nothing
/// for the data. The limits are in `allocation.gate`; five per cent less fails as well, to keep the
/// numbers honest.
///
/// It runs in a separate JVM with C1 alone and without leak tracking, because the allocations that
/// C2 removes differ between runs. Its name excludes it from the usual test run.
final class RecordAllocationGate {

  private static final int PLAINTEXT = 1024;
  private static final int MAX = 512;
  private static final double BAND = 0.05;
  private static final int RECORDS = 20_000;
  private static final int ROUNDS = 8;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final ByteBufAllocator allocator = ByteBufAllocator.shared();

  @Test
  void recordCostsHandlesOnly() throws Exception {
    assertEquals(LeakTracker.Level.DISABLED, LeakTracker.LEVEL, "trackers would be counted");
    Libraries libraries = new Libraries(TlsLibrary.OPENSSL, TlsLibrary.OPENSSL);
    try (EnginePair pair =
        Libraries.pair(libraries.clientSettings(), libraries.serverSettings(), "localhost")) {
      pair.handshake();
      TlsEngine from = pair.client().engine();
      TlsEngine to = pair.server().engine();
      long encrypt = Long.MAX_VALUE;
      long decrypt = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long encrypted = 0;
        long decrypted = 0;
        for (int i = 0; i < RECORDS; i++) {
          long start = threads.getCurrentThreadAllocatedBytes();
          ByteBuf record = encrypt(from);
          long middle = threads.getCurrentThreadAllocatedBytes();
          decrypt(to, record);
          encrypted += middle - start;
          decrypted += threads.getCurrentThreadAllocatedBytes() - middle;
        }
        encrypt = Math.min(encrypt, encrypted);
        decrypt = Math.min(decrypt, decrypted);
      }
      check("encrypt", (double) encrypt / RECORDS);
      check("decrypt", (double) decrypt / RECORDS);
    }
  }

  private ByteBuf encrypt(TlsEngine engine) throws TlsException {
    ByteBuf plaintext = allocator.allocate(PLAINTEXT);
    engine.write(plaintext.writerIndex(PLAINTEXT));
    return Objects.requireNonNull(engine.takeOutput());
  }

  private static void decrypt(TlsEngine engine, ByteBuf record) throws TlsException {
    engine.receive(record);
    ByteBuf plaintext = Objects.requireNonNull(engine.read());
    assertEquals(PLAINTEXT, plaintext.readableBytes());
    plaintext.release();
    if (engine.read() != null) {
      throw new AssertionError("more plaintext than was sent");
    }
  }

  private static void check(String name, double measured) throws Exception {
    Properties gate = new Properties();
    try (InputStream in =
        Objects.requireNonNull(
            RecordAllocationGate.class.getResourceAsStream("/allocation.gate"))) {
      gate.load(in);
    }
    double expected = Double.parseDouble(gate.getProperty(name));
    String figures =
        "%s: %.1f bytes a record, the gate says %.1f".formatted(name, measured, expected);
    System.out.println(figures);
    assertTrue(measured <= MAX, figures);
    assertTrue(Math.abs(measured - expected) <= BAND * expected, figures);
  }
}
