package dev.quickwater.examples;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Future;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/// Sends each line that a client writes to all the others. A client that is silent for too long is
/// disconnected.
///
/// The clients are on several loops: `writeAndFlush` may be called from any of them. A client that
/// does not read what the others write is disconnected too, instead of filling the memory.
public final class ChatServer {

  private static final int MAX_LINE = 1024;

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
  public static Future<Channel> listen(
      EventLoopGroup group, SocketAddress address, Duration idleLimit) {
    ChatServer server = new ChatServer(idleLimit);
    return new ServerBootstrap(group, ChannelSettings.DEFAULT, server::accepted).listen(address);
  }

  private void accepted(Channel channel) {
    channel.pipeline().addLast(new IdleHandler(idleLimit)).addLast(new Client());
  }

  private final class Client implements ChannelHandler {

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    @Override
    public void channelActive(HandlerContext context) {
      clients.add(context.channel());
      context.writeAndFlush(ByteBuf.utf8("welcome, there are " + clients.size() + "\n"));
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      while (bytes.isReadable()) {
        byte next = bytes.readByte();
        line.write(next);
        if (next == '\n') {
          tell(context.channel(), line.toString(StandardCharsets.UTF_8));
          line.reset();
        } else if (line.size() > MAX_LINE) {
          bytes.release();
          context.close();
          return;
        }
      }
      bytes.release();
    }

    private void tell(Channel from, String text) {
      for (Channel client : clients) {
        if (client == from) {
          continue;
        }
        if (client.isWritable()) {
          client.writeAndFlush(ByteBuf.utf8(text));
        } else {
          client.close();
        }
      }
    }

    @Override
    public void userEvent(HandlerContext context, Object event) {
      if (event instanceof IdleHandler.Idle) {
        context.write(ByteBuf.utf8("goodbye, you were silent\n"));
        context.channel().closeAfterFlush();
      } else {
        context.fireUserEvent(event);
      }
    }

    @Override
    public void channelInactive(HandlerContext context) {
      clients.remove(context.channel());
    }
  }
}
