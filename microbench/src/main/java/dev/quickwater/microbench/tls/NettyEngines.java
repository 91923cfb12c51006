package dev.quickwater.microbench.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// A client and a server of Netty as its handler makes them: BoringSSL through tcnative on direct
/// buffers, where several records are processed in one call, or the JDK on arrays.
final class NettyEngines {

  /// Room for a full call: sixteen records.
  private static final int ROOM = 17 * (1 << 14) + 16 * 512;

  final SSLEngine client;
  final SSLEngine server;
  final ByteBuffer records;
  final ByteBuffer plaintext;

  /// What the engines of many connections share.
  record Contexts(SslContext client, SslContext server, boolean arrays) {

    static Contexts of(SslProvider provider, String suite) throws SSLException {
      return new Contexts(
          SslContextBuilder.forClient()
              .sslProvider(provider)
              .trustManager(Identity.certificate())
              .protocols("TLSv1.3")
              .ciphers(List.of(suite))
              .build(),
          SslContextBuilder.forServer(Identity.certificate(), Identity.key())
              .sslProvider(provider)
              .protocols("TLSv1.3")
              .ciphers(List.of(suite))
              .build(),
          provider == SslProvider.JDK);
    }

    ByteBuffer room() {
      return arrays ? ByteBuffer.allocate(ROOM) : ByteBuffer.allocateDirect(ROOM);
    }

    void release() {
      ReferenceCountUtil.release(client);
      ReferenceCountUtil.release(server);
    }
  }

  NettyEngines(Contexts contexts, ByteBuffer records, ByteBuffer plaintext) throws SSLException {
    this.records = records;
    this.plaintext = plaintext;
    var allocator = ByteBufAllocator.DEFAULT;
    client = contexts.client().newHandler(allocator, "localhost", 443).engine();
    server = contexts.server().newHandler(allocator).engine();
    client.setUseClientMode(true);
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < 10 && !isDone(client, server); i++) {
      move(client, server);
      move(server, client);
    }
    if (client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      throw new IllegalStateException("the handshake is not complete");
    }
  }

  private static boolean isDone(SSLEngine client, SSLEngine server) {
    return client.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
        && server.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private void move(SSLEngine from, SSLEngine to) throws SSLException {
    runTasks(from);
    ByteBuffer nothing = plaintext.duplicate().limit(0);
    records.clear();
    while (from.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      from.wrap(nothing, records);
      runTasks(from);
    }
    records.flip();
    while (records.hasRemaining()) {
      plaintext.clear();
      to.unwrap(records, plaintext);
      runTasks(to);
    }
  }

  private static void runTasks(SSLEngine engine) {
    for (Runnable task = engine.getDelegatedTask(); task != null; ) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  /// Encrypts `count` times the remaining bytes of `data` to [#records].
  void wrap(ByteBuffer data, int count) throws SSLException {
    records.clear();
    for (int i = 0; i < count; i++) {
      data.rewind();
      while (data.hasRemaining()) {
        client.wrap(data, records);
      }
    }
    records.flip();
  }

  /// Decrypts [#records] to [#plaintext].
  void unwrap() throws SSLException {
    plaintext.clear();
    while (records.hasRemaining()) {
      server.unwrap(records, plaintext);
    }
  }

  void release() {
    ReferenceCountUtil.release(client);
    ReferenceCountUtil.release(server);
  }
}
