package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.testing.SuiteTest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Many connections that announce a long ClientHello in nine bytes and then wait.
final class ManyBeginningsTest extends SuiteTest {

  private static final int CONNECTIONS = 10_000;

  /// A record of 16 KiB with a ClientHello of 64,000 bytes is announced.
  private static final byte[] NINE = HexFormat.of().parseHex("160301400001" + "00fa00");

  @Test
  void nineBytesOfTenThousandConnectionsHoldAlmostNothing() throws TlsException {
    ByteBufAllocator allocator = ByteBufAllocator.shared();
    List<TlsEngine> engines = new ArrayList<>();
    long before = allocator.metrics().used();
    try (TlsContext context = TlsContext.server(libraries.serverSettings())) {
      for (int i = 0; i < CONNECTIONS; i++) {
        TlsEngine engine = context.accept(allocator);
        engines.add(engine);
        engine.start();
        engine.receive(ByteBuf.wrap(NINE.clone()));
        assertEquals(null, engine.read());
      }
      long held = allocator.metrics().used() - before;
      assertTrue(held < CONNECTIONS * 256L, () -> held + " bytes");
    } finally {
      engines.forEach(TlsEngine::close);
    }
    assertTrue(allocator.metrics().used() - before < 1 << 20);
  }
}
