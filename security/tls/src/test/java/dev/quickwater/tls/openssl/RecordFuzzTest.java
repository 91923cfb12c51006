package dev.quickwater.tls.openssl;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsEngine;
import dev.quickwater.tls.TlsException;
import org.jspecify.annotations.Nullable;

/// Hostile records for OpenSSL: for every input a side fails with a TlsException or waits, and the
/// process survives.
final class RecordFuzzTest {

  private static final int HANDSHAKE_STEPS = 6;

  /// Changes the bytes that one side receives during the handshake, or sends any bytes after some
  /// steps of it.
  @FuzzTest(maxDuration = "60s")
  void changedRecordsAreRefusedByAnException(FuzzedDataProvider input) {
    boolean toServer = input.consumeBoolean();
    boolean replace = input.consumeBoolean();
    int step = input.consumeInt(0, HANDSHAKE_STEPS);
    int at = input.consumeInt(0, 4096);
    int mask = input.consumeInt(0, 255);
    byte[] bytes = input.consumeRemainingAsBytes();
    try (TlsContext clients = TlsContext.client(TestKeys.client());
        TlsContext servers = TlsContext.server(TestKeys.server());
        TlsEngine client = clients.connect("localhost", 443, ByteBufAllocator.shared());
        TlsEngine server = servers.accept(ByteBufAllocator.shared())) {
      client.start();
      server.start();
      TlsEngine from = client;
      TlsEngine to = server;
      for (int i = 0; i <= HANDSHAKE_STEPS; i++) {
        @Nullable ByteBuf records = from.takeOutput();
        boolean target = i >= step && (to == server) == toServer;
        if (target && replace) {
          if (records != null) {
            records.release();
          }
          records = ByteBuf.wrap(bytes);
        } else if (target && records != null) {
          int index = at % records.writerIndex();
          records.setByte(index, records.getByte(index) ^ mask);
        }
        if (records != null) {
          to.receive(records);
          for (@Nullable ByteBuf data = to.read(); data != null; data = to.read()) {
            data.release();
          }
        }
        TlsEngine next = from;
        from = to;
        to = next;
      }
    } catch (TlsException _) {
      // refused
    }
  }
}
