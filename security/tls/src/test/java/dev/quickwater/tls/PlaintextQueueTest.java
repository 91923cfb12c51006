package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How messages become records.
final class PlaintextQueueTest {

  private static final int BATCH = 64 << 10;
  private static final int SHORT = 4 << 10;

  private static boolean carry(TlsEngine from, TlsEngine to) throws TlsException {
    @Nullable ByteBuf output = from.takeOutput();
    if (output == null) {
      return false;
    }
    to.receive(output);
    assertEquals(null, to.read());
    return true;
  }

  /// The bytes of the records of one batch.
  private static int send(PlaintextQueue queue, TlsEngine engine, ByteBuf message)
      throws Exception {
    queue.add(message, null);
    queue.flush();
    queue.encrypt(engine, BATCH, 0);
    ByteBuf records = Objects.requireNonNull(engine.takeOutput());
    int size = records.readableBytes();
    records.release();
    return size;
  }

  @Test
  void recordsStayFullWithoutAPause() throws Exception {
    ByteBufAllocator allocator = ByteBufAllocator.shared();
    try (TlsContext ofServer = TlsContext.server(TestTls.server());
        TlsContext ofClient = TlsContext.client(TestTls.client());
        TlsEngine server = ofServer.accept(allocator);
        TlsEngine client = ofClient.connect("localhost", 443, allocator)) {
      server.start();
      client.start();
      boolean moved = true;
      while (moved) {
        boolean forth = carry(client, server);
        boolean back = carry(server, client);
        moved = forth || back;
      }
      PlaintextQueue queue = new PlaintextQueue(allocator);
      ByteBuf message = allocator.allocate(BATCH).writeBytes(new byte[BATCH]);
      int first = send(queue, client, message.share());
      int full = send(queue, client, message.share());
      assertTrue(first > full, first + " bytes with short records, " + full + " with full ones");
      ByteBuf small = allocator.allocate(SHORT).writeBytes(new byte[SHORT]);
      long sent = 0;
      while (sent <= 1L << 31) { // more than an int can count
        send(queue, client, message.share());
        sent += BATCH;
      }
      send(queue, client, small);
      assertEquals(full, send(queue, client, message));
    }
  }
}
