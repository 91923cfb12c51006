package dev.quickwater.tls;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A client and a server whose bytes the test carries.
final class HandlerPair implements AutoCloseable {

  /// Records what the handlers behind TLS see.
  static final class Probe implements ChannelHandler {
    final List<String> events = new ArrayList<>();
    final StringBuilder text = new StringBuilder();
    long bytes;
    boolean echo;
    boolean ignoresFailures;
    @Nullable Consumer<HandlerContext> onSession;

    @Override
    public void channelActive(HandlerContext context) {
      events.add("active");
      context.fireChannelActive();
    }

    @Override
    public void channelInactive(HandlerContext context) {
      events.add("inactive");
      context.fireChannelInactive();
    }

    @Override
    public void userEvent(HandlerContext context, Object event) {
      events.add(event instanceof TlsSession ? "session" : event.toString());
      if (onSession != null) {
        onSession.accept(context);
      }
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf read = (ByteBuf) message;
      bytes += read.readableBytes();
      if (echo) {
        context.channel().writeAndFlush(read);
        return;
      }
      if (text.length() < 10_000) {
        text.append(read.readString(read.readableBytes(), StandardCharsets.US_ASCII));
      }
      read.release();
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      events.add("input closed");
      context.fireChannelInputClosed();
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      events.add(cause.getClass().getSimpleName() + ": " + cause.getMessage());
      if (!ignoresFailures) {
        context.channel().close();
      }
    }
  }

  final TlsContext serverContext;
  final TlsContext clientContext;
  final TlsHandler serverTls;
  final TlsHandler clientTls;
  final Probe serverProbe = new Probe();
  final Probe clientProbe = new Probe();
  final EmbeddedChannel server;
  final EmbeddedChannel client;

  HandlerPair(TlsSettings serverSettings, TlsSettings clientSettings) {
    this(serverSettings, clientSettings, ChannelSettings.DEFAULT);
  }

  HandlerPair(TlsSettings serverSettings, TlsSettings clientSettings, ChannelSettings channels) {
    serverContext = TlsContext.server(serverSettings);
    clientContext = TlsContext.client(clientSettings);
    serverTls = TlsHandler.server(serverContext);
    clientTls = TlsHandler.client(clientContext, "localhost", 443);
    server =
        new EmbeddedChannel(channels, c -> c.pipeline().addLast(serverTls).addLast(serverProbe));
    client =
        new EmbeddedChannel(channels, c -> c.pipeline().addLast(clientTls).addLast(clientProbe));
  }

  /// Carries bytes until both sides are silent.
  HandlerPair pump() {
    return pump(Integer.MAX_VALUE);
  }

  /// Carries bytes in pieces of at most `max` bytes until both sides are silent.
  HandlerPair pump(int max) {
    boolean moved = true;
    while (moved) {
      moved = carry(client, server, max) | carry(server, client, max);
    }
    return this;
  }

  static boolean carry(EmbeddedChannel from, EmbeddedChannel to, int max) {
    from.runTasks();
    ByteBuf sent = from.takeSent();
    if (!sent.isReadable()) {
      sent.release();
      return false;
    }
    while (sent.readableBytes() > max) {
      to.send(sent.readSlice(max));
    }
    to.send(sent);
    return true;
  }

  @Nullable Throwable serverFailure() {
    return serverTls.handshake().cause();
  }

  @Nullable Throwable clientFailure() {
    return clientTls.handshake().cause();
  }

  @Override
  public void close() {
    client.close();
    server.close();
    clientContext.close();
    serverContext.close();
  }
}
