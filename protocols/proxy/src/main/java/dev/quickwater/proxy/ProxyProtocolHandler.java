package dev.quickwater.proxy;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.AttributeKey;
import dev.quickwater.common.Timer;
import dev.quickwater.proxy.ProxyHeader.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Reads the header that a proxy sends before everything else. Then the channel has the address of
/// the client ([dev.quickwater.channel.Channel#remoteAddress]), and the handler removes itself.
///
/// - **Place:** the first handler, before TLS, in channels that a server accepts. An instance
///   serves one channel.
/// - **A header is required.** A connection that may begin with or without one would let each
///   client choose its address.
/// - **Order:** handlers behind this one receive `channelActive` and messages once the header is
///   complete. The attribute [#HEADER] is set before that.
/// - **Without an address** (`LOCAL`, `UNKNOWN`), the channel keeps the address of the proxy.
/// - **Refused** are senders that are not trusted, malformed headers, and headers that take longer
///   than the timeout. The channel closes; handlers behind this one receive no event.
public final class ProxyProtocolHandler implements ChannelHandler {

  /// The header, as an attribute of the channel.
  public static final AttributeKey<ProxyHeader> HEADER = AttributeKey.named("proxy.header");

  private static final System.Logger LOG = System.getLogger(ProxyProtocolHandler.class.getName());

  private enum Phase {
    /// The channel is not active.
    NEW,
    HEADER,
    COMPLETE,
    /// The channel is closing.
    REFUSED
  }

  private final ProxyProtocolSettings settings;
  private @Nullable ByteBuf begun;
  private @Nullable Timer deadline;
  private Phase phase = Phase.NEW;

  /// The handler of one channel.
  public ProxyProtocolHandler(ProxyProtocolSettings settings) {
    this.settings = settings;
  }

  @Override
  public void channelActive(HandlerContext context) {
    phase = Phase.HEADER;
    if (!isTrusted(context.channel().remoteAddress())) {
      refuse(context, "the sender is not in the networks of the setting trusted");
      return;
    }
    deadline =
        context
            .channel()
            .loop()
            .schedule(
                () -> refuse(context, "the header took longer than " + settings.timeout()),
                settings.timeout());
  }

  private boolean isTrusted(@Nullable SocketAddress sender) {
    return sender instanceof InetSocketAddress internet
        ? settings.trusted().contains(internet.getAddress())
        : sender != null;
  }

  private void refuse(HandlerContext context, String reason) {
    LOG.log(
        System.Logger.Level.DEBUG,
        () -> "PROXY protocol, " + context.channel().remoteAddress() + ": " + reason);
    phase = Phase.REFUSED;
    releaseBegun();
    context.close();
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    if (phase == Phase.REFUSED) {
      bytes.release();
      return;
    }
    ByteBuf all = joined(context, bytes);
    begun = all;
    @Nullable ProxyHeader header;
    try {
      header = ProxyHeaderReader.read(all);
      if (header != null && header.transport() == Transport.DATAGRAM) {
        throw new ProxyProtocolException("the header is that of a datagram");
      }
    } catch (ProxyProtocolException e) {
      refuse(context, String.valueOf(e.getMessage()));
      return;
    }
    if (header != null) {
      complete(context, header);
    } else if (all == bytes) {
      begun = null;
      begun = copied(context, bytes);
    }
  }

  /// A receive buffer is larger than an incomplete header.
  private static ByteBuf copied(HandlerContext context, ByteBuf received) {
    try {
      return context.allocator().allocate(received.readableBytes()).writeBytes(received);
    } finally {
      received.release();
    }
  }

  private ByteBuf joined(HandlerContext context, ByteBuf more) {
    @Nullable ByteBuf first = begun;
    if (first == null) {
      return more;
    }
    begun = null;
    try {
      return context
          .allocator()
          .allocate(first.readableBytes() + more.readableBytes())
          .writeBytes(first)
          .writeBytes(more);
    } finally {
      first.release();
      more.release();
    }
  }

  private void complete(HandlerContext context, ProxyHeader header) {
    phase = Phase.COMPLETE;
    cancelDeadline();
    context.channel().attributes().set(HEADER, header);
    @Nullable SocketAddress client = header.source();
    if (client != null) {
      context.channel().replaceRemoteAddress(client);
    }
    context.fireChannelActive();
    if (!context.channel().isActive()) {
      return; // a handler has closed it, and expects no input
    }
    @Nullable ByteBuf rest = begun;
    begun = null;
    if (rest != null) {
      if (rest.isReadable()) {
        context.fireChannelRead(rest);
      } else {
        rest.release();
      }
    }
    context.fireChannelReadComplete();
    context.pipeline().remove(this);
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    if (phase == Phase.COMPLETE) {
      context.fireChannelReadComplete();
    }
  }

  @Override
  public void channelInputClosed(HandlerContext context) {
    if (phase == Phase.COMPLETE) {
      context.fireChannelInputClosed();
    } else {
      refuse(context, "the connection ended before the header was complete");
    }
  }

  @Override
  public void channelInactive(HandlerContext context) {
    if (phase == Phase.COMPLETE || phase == Phase.NEW) {
      context.fireChannelInactive();
    }
  }

  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    if (phase == Phase.COMPLETE || phase == Phase.NEW) {
      context.fireExceptionCaught(cause);
    } else {
      refuse(context, String.valueOf(cause));
    }
  }

  @Override
  public void handlerRemoved(HandlerContext context) {
    cancelDeadline();
    releaseBegun();
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  private void releaseBegun() {
    if (begun != null) {
      begun.release();
      begun = null;
    }
  }
}
