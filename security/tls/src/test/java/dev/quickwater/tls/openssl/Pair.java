package dev.quickwater.tls.openssl;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsEngine;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsSettings;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/// A client and a server that exchange records in memory.
final class Pair implements AutoCloseable {

  final TlsEngine client;
  final TlsEngine server;
  @Nullable TlsException clientFailure;
  @Nullable TlsException serverFailure;
  final ByteArrayOutputStream clientReceived = new ByteArrayOutputStream();
  final ByteArrayOutputStream serverReceived = new ByteArrayOutputStream();

  Pair(TlsContext client, TlsContext server) {
    this(client, server, "localhost");
  }

  Pair(TlsContext client, TlsContext server, String host) {
    this.client = client.connect(host, 443, ByteBufAllocator.shared());
    this.server = server.accept(ByteBufAllocator.shared());
    try {
      this.client.start();
      this.server.start();
    } catch (TlsException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The two sides of settings, connected; the contexts are closed at once.
  static Pair connected(TlsSettings client, TlsSettings server) {
    try (TlsContext c = TlsContext.client(client);
        TlsContext s = TlsContext.server(server)) {
      return new Pair(c, s).exchange();
    }
  }

  /// Exchanges records until both sides have nothing to send.
  Pair exchange() {
    boolean progress = true;
    while (progress) {
      progress = forward(client, server, true);
      progress |= forward(server, client, false);
    }
    return this;
  }

  private boolean forward(TlsEngine from, TlsEngine to, boolean toServer) {
    ByteBuf records = from.takeOutput();
    if (records == null) {
      return false;
    }
    to.receive(records);
    drain(to, toServer);
    return true;
  }

  private void drain(TlsEngine engine, boolean server) {
    if ((server ? serverFailure : clientFailure) != null) {
      return;
    }
    try {
      for (ByteBuf data = engine.read(); data != null; data = engine.read()) {
        byte[] bytes = data.readBytes(data.readableBytes());
        (server ? serverReceived : clientReceived).writeBytes(bytes);
        data.release();
      }
    } catch (TlsException e) {
      if (server) {
        serverFailure = e;
      } else {
        clientFailure = e;
      }
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
