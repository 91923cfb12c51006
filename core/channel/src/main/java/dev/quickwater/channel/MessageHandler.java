package dev.quickwater.channel;

/// A handler of inbound messages of one type; messages of other types are passed on.
///
/// [#received] owns its message: it passes the message on, keeps it, or releases it.
///
/// @param <I> the type of the messages
public abstract class MessageHandler<I> implements ChannelHandler {

  private final Class<I> type;

  /// Handles messages that are instances of `type`.
  protected MessageHandler(Class<I> type) {
    this.type = type;
  }

  /// Handles a message.
  protected abstract void received(HandlerContext context, I message) throws Exception;

  @Override
  public final void channelRead(HandlerContext context, Object message) throws Exception {
    if (type.isInstance(message)) {
      received(context, type.cast(message));
    } else {
      context.fireChannelRead(message);
    }
  }
}
