package dev.quickwater.microbench.tls;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.tls.TlsEngine;
import dev.quickwater.tls.TlsException;
import org.jspecify.annotations.Nullable;

/// Two engines of ours without a network between them.
final class Joined {

  private Joined() {}

  /// A whole handshake, with the session tickets that follow it.
  static void connect(TlsEngine client, TlsEngine server) throws TlsException {
    client.start();
    server.start();
    boolean moved = true;
    while (moved) {
      boolean forth = move(client, server);
      boolean back = move(server, client);
      moved = forth || back;
    }
    if (!client.isOpen() || !server.isOpen()) {
      throw new IllegalStateException("the handshake is not complete");
    }
  }

  private static boolean move(TlsEngine from, TlsEngine to) throws TlsException {
    @Nullable ByteBuf output = from.takeOutput();
    if (output == null) {
      return false;
    }
    to.receive(output);
    return to.read() == null;
  }
}
