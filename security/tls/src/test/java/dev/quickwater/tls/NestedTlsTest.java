package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.junit.NoLeaks;
import org.junit.jupiter.api.Test;

/// TLS inside of TLS, as https through the tunnel of an https proxy.
@NoLeaks
final class NestedTlsTest {

  private final HandlerPair.Probe serverProbe = new HandlerPair.Probe();
  private final HandlerPair.Probe clientProbe = new HandlerPair.Probe();

  @Test
  void twoHandlersEncryptTwice() {
    try (TlsContext servers = TlsContext.server(TestTls.server());
        TlsContext clients = TlsContext.client(TestTls.client());
        EmbeddedChannel server =
            new EmbeddedChannel(
                ChannelSettings.DEFAULT,
                c ->
                    c.pipeline()
                        .addLast(TlsHandler.server(servers))
                        .addLast(TlsHandler.server(servers))
                        .addLast(serverProbe));
        EmbeddedChannel client =
            new EmbeddedChannel(
                ChannelSettings.DEFAULT,
                c ->
                    c.pipeline()
                        .addLast(TlsHandler.client(clients, "localhost", 443))
                        .addLast(TlsHandler.client(clients, "localhost", 8443))
                        .addLast(clientProbe))) {
      pump(client, server);
      assertTrue(serverProbe.events.contains("active"), serverProbe.events::toString);
      assertTrue(clientProbe.events.contains("active"), clientProbe.events::toString);
      client.channel().write(ByteBuf.wrap(new byte[100_000]));
      server.channel().write(ByteBuf.wrap(new byte[50_000]));
      client.channel().flush();
      server.channel().flush();
      pump(client, server);
      assertEquals(100_000, serverProbe.bytes);
      assertEquals(50_000, clientProbe.bytes);
      client.channel().closeAfterFlush();
      pump(client, server);
      assertTrue(serverProbe.events.contains("input closed"), serverProbe.events::toString);
    }
  }

  private static void pump(EmbeddedChannel client, EmbeddedChannel server) {
    int all = Integer.MAX_VALUE;
    while (HandlerPair.carry(client, server, all) | HandlerPair.carry(server, client, all)) {
      // until both are silent
    }
  }
}
