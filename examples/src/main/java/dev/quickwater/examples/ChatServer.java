package dev.quickwater.examples;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.MessageHandler;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/// Sends each line that a client writes to all other clients.
///
/// - The clients are on several loops; `writeAndFlush` may be called from each of them.
/// - A client that sends nothing for too long is disconnected.
/// - A client that is behind misses lines, so that it cannot fill the memory. The stall timeout of
///   the channel disconnects a client that reads nothing at all.
public final class ChatServer {

  private static final int MAX_LINE = 1024;

  /// Bytes that a refused client may still send before it has read why.
  private static final long MAX_DISCARD = 1 << 20;

  private final Set<Channel> clients = ConcurrentHashMap.newKeySet();
  private final Duration idleLimit;

  private ChatServer(Duration idleLimit) {
    this.idleLimit = idleLimit;
  }

  /// Listens on the port in the first argument, 8008 without one.
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8008;
    EventLoopGroup group = EventLoopGroup.create();
    Channel listener = listen(group, new InetSocketAddress(port), Duration.ofMinutes(5)).await();
    System.out.println("chat on " + listener.localAddress());
  }

  /// Listens on `address`; clients that send nothing for `idleLimit` are disconnected.
  // @start region=listen
  public static Future<Channel> listen(
      EventLoopGroup group, SocketAddress address, Duration idleLimit) {
    ChatServer server = new ChatServer(idleLimit);
    return new ServerBootstrap(group, ChannelSettings.DEFAULT, server::accepted).listen(address);
  }

  // @end

  // @start region=pipeline
  private void accepted(Channel channel) {
    channel
        .pipeline()
        .addLast(new IdleHandler(idleLimit))
        .addLast(new LineDecoder(MAX_LINE))
        .addLast(new Client());
  }

  // @end

  private final class Client extends MessageHandler<String> {

    Client() {
      super(String.class);
    }

    @Override
    public void channelActive(HandlerContext context) {
      clients.add(context.channel());
      context.writeAndFlush(ByteBuf.utf8("welcome, there are " + clients.size() + "\n"));
    }

    // @start region=broadcast
    @Override
    protected void received(HandlerContext context, String line) {
      for (Channel client : clients) {
        if (client != context.channel() && client.isWritable()) {
          client.writeAndFlush(ByteBuf.utf8(line + "\n"));
        }
      }
    }

    // @end

    // @start region=idle
    @Override
    public void userEvent(HandlerContext context, Object event) {
      if (event instanceof IdleHandler.Idle) {
        context.write(ByteBuf.utf8("disconnected: idle for too long\n"));
        context.channel().closeAfterFlush();
      } else {
        context.fireUserEvent(event);
      }
    }

    // @end

    // @start region=failure
    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      context.write(ByteBuf.utf8("disconnected: " + cause.getMessage() + "\n"));
      context.channel().closeGracefully(Duration.ofSeconds(5), MAX_DISCARD);
    }

    // @end

    @Override
    public void channelInactive(HandlerContext context) {
      clients.remove(context.channel());
    }
  }
}
