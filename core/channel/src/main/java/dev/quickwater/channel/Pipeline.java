package dev.quickwater.channel;

import dev.quickwater.buffer.Payload;
import dev.quickwater.common.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The handlers of a channel, in the order in which inbound events meet them.
///
/// - **Changes:** handlers may be added and removed on the loop at any time, also inside an event.
///   An added handler sees the events that reach its place from then on. A removed handler sees
///   only [ChannelHandler#handlerRemoved]. Before the channel is registered with its loop, the
///   thread that creates the channel may add handlers.
/// - **Refusals:** the pipeline refuses a name that is in use, a handler that it already contains
///   unless the handler is shareable, and every handler once the channel is closed. A handler that
///   is in another pipeline is usually refused, but not if two loops add it at the same time.
/// - **The ends:** outbound events that pass the first handler go to the transport. Inbound events
///   that pass the last handler end there: messages are released, failures are logged and close the
///   channel.
public final class Pipeline {

  private static final System.Logger LOG = System.getLogger(Pipeline.class.getName());

  final Channel channel;
  private @Nullable HandlerContext first;
  private @Nullable HandlerContext last;

  Pipeline(Channel channel) {
    this.channel = channel;
  }

  // ---- changing ----

  /// Appends a handler.
  public Pipeline addLast(ChannelHandler handler) {
    return addLast(null, handler);
  }

  /// Appends a handler with a name.
  public Pipeline addLast(@Nullable String name, ChannelHandler handler) {
    return insert(new HandlerContext(this, handler, name), last, null);
  }

  /// Inserts a handler at the front.
  public Pipeline addFirst(ChannelHandler handler) {
    return insert(new HandlerContext(this, handler, null), null, first);
  }

  /// Inserts a handler before another.
  ///
  /// @throws IllegalArgumentException if `place` is not in the pipeline
  public Pipeline addBefore(ChannelHandler place, @Nullable String name, ChannelHandler handler) {
    HandlerContext at = require(place);
    return insert(new HandlerContext(this, handler, name), at.previous, at);
  }

  /// Inserts a handler after another.
  ///
  /// @throws IllegalArgumentException if `place` is not in the pipeline
  public Pipeline addAfter(ChannelHandler place, @Nullable String name, ChannelHandler handler) {
    HandlerContext at = require(place);
    return insert(new HandlerContext(this, handler, name), at, at.next);
  }

  /// Removes a handler.
  ///
  /// @throws IllegalArgumentException if it is not in the pipeline
  public Pipeline remove(ChannelHandler handler) {
    unlink(require(handler));
    return this;
  }

  /// Removes the handler with a name and returns it.
  ///
  /// @throws IllegalArgumentException if there is none
  public ChannelHandler remove(String name) {
    channel.requireLoopOrUnregistered();
    for (@Nullable HandlerContext c = first; c != null; c = c.next) {
      if (name.equals(c.name)) {
        unlink(c);
        return c.handler;
      }
    }
    throw new IllegalArgumentException("no handler is named " + name);
  }

  /// Replaces a handler by another.
  public Pipeline replace(ChannelHandler old, @Nullable String name, ChannelHandler handler) {
    addAfter(old, name, handler);
    return remove(old);
  }

  /// The first handler of a type, or null.
  public <T extends ChannelHandler> @Nullable T find(Class<T> type) {
    for (@Nullable HandlerContext c = first; c != null; c = c.next) {
      if (type.isInstance(c.handler)) {
        return type.cast(c.handler);
      }
    }
    return null;
  }

  private HandlerContext require(ChannelHandler handler) {
    channel.requireLoopOrUnregistered();
    for (@Nullable HandlerContext c = first; c != null; c = c.next) {
      if (c.handler == handler) {
        return c;
      }
    }
    throw new IllegalArgumentException("the handler is not in the pipeline: " + handler);
  }

  private Pipeline insert(
      HandlerContext context, @Nullable HandlerContext before, @Nullable HandlerContext after) {
    channel.requireLoopOrUnregistered();
    if (channel.state() == ChannelState.CLOSED) {
      throw new IllegalStateException("the channel is closed, its pipeline takes no more handlers");
    }
    requireFree(context);
    context.previous = before;
    context.next = after;
    if (before == null) {
      first = context;
    } else {
      before.next = context;
    }
    if (after == null) {
      last = context;
    } else {
      after.previous = context;
    }
    try {
      context.handler.handlerAdded(context);
    } catch (Throwable t) {
      unlink(context);
      caught(null, t);
    }
    return this;
  }

  private void requireFree(HandlerContext context) {
    for (@Nullable HandlerContext c = first; c != null; c = c.next) {
      if (context.name != null && context.name.equals(c.name)) {
        throw new IllegalArgumentException(
            "the pipeline has a handler named " + c.name + " already: " + c.handler);
      }
      if (c.handler == context.handler && !c.handler.isShareable()) {
        throw new IllegalArgumentException("the pipeline has this handler already: " + c.handler);
      }
    }
    if (!context.kind().added(context)) {
      throw new IllegalArgumentException(
          "the handler is in the pipeline of another channel: "
              + context.handler
              + "; create one for each channel, or have isShareable return true if it holds nothing"
              + " of a channel");
    }
  }

  private void unlink(HandlerContext context) {
    channel.requireLoopOrUnregistered();
    if (context.isRemoved()) {
      return; // removed by the handler before it threw
    }
    @Nullable HandlerContext before = context.previous;
    @Nullable HandlerContext after = context.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    context.markRemoved();
    context.kind().removed(context);
    try {
      context.handler.handlerRemoved(context);
    } catch (Throwable t) {
      caught(after, t);
    }
  }

  /// Removes all handlers of a closed channel, last to first.
  void clear() {
    @Nullable HandlerContext context;
    while ((context = last) != null) {
      unlink(context);
    }
  }

  void requireLoop() {
    channel.requireLoop();
  }

  // ---- entry points of inbound events ----

  /// Starts a user event at the first handler. Loop only.
  public void fireUserEvent(Object event) {
    requireLoop();
    fireUserEvent(first, event);
  }

  /// Starts a message at the first handler, which owns it. Loop only.
  public void fireChannelRead(Object message) {
    requireLoop();
    fireRead(first, message);
  }

  /// Starts a failure at the first handler. Loop only.
  public void fireExceptionCaught(Throwable cause) {
    requireLoop();
    fireException(first, cause);
  }

  void fireActive() {
    fireActive(first);
  }

  void fireInactive() {
    fireInactive(first);
  }

  void fireRead(Object message) {
    fireRead(first, message);
  }

  void fireReadComplete() {
    fireReadComplete(first);
  }

  void fireInputClosed() {
    fireInputClosed(first);
  }

  void fireWritabilityChanged() {
    fireWritabilityChanged(first);
  }

  // ---- inbound, from a place on ----

  private static @Nullable HandlerContext forward(@Nullable HandlerContext from, int event) {
    @Nullable HandlerContext c = from;
    while (c != null && (c.mask & event) == 0) {
      c = c.next;
    }
    return c;
  }

  void fireActive(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = forward(from, HandlerMask.ACTIVE);
    if (c != null) {
      try {
        c.handler.channelActive(c);
      } catch (Throwable t) {
        caught(c, t);
      }
    }
  }

  void fireInactive(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = forward(from, HandlerMask.INACTIVE);
    if (c != null) {
      try {
        c.handler.channelInactive(c);
      } catch (Throwable t) {
        caught(c, t);
      }
    }
  }

  void fireRead(@Nullable HandlerContext from, Object message) {
    @Nullable HandlerContext c = forward(from, HandlerMask.READ);
    if (c == null) {
      if (!channel.loop().poller().unclaimed(message)) {
        discard(message);
      }
      return;
    }
    try {
      c.handler.channelRead(c, message);
    } catch (Throwable t) {
      caught(c, t);
    }
  }

  void fireReadComplete(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = forward(from, HandlerMask.READ_COMPLETE);
    if (c != null) {
      try {
        c.handler.channelReadComplete(c);
      } catch (Throwable t) {
        caught(c, t);
      }
    }
  }

  void fireInputClosed(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = forward(from, HandlerMask.INPUT_CLOSED);
    if (c != null) {
      try {
        c.handler.channelInputClosed(c);
      } catch (Throwable t) {
        caught(c, t);
      }
    }
  }

  void fireWritabilityChanged(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = forward(from, HandlerMask.WRITABILITY);
    if (c != null) {
      try {
        c.handler.channelWritabilityChanged(c);
      } catch (Throwable t) {
        caught(c, t);
      }
    }
  }

  void fireUserEvent(@Nullable HandlerContext from, Object event) {
    @Nullable HandlerContext c = forward(from, HandlerMask.USER_EVENT);
    if (c == null) {
      discard(event);
      return;
    }
    try {
      c.handler.userEvent(c, event);
    } catch (Throwable t) {
      caught(c, t);
    }
  }

  void fireException(@Nullable HandlerContext from, Throwable cause) {
    @Nullable HandlerContext c = forward(from, HandlerMask.EXCEPTION);
    if (c == null) {
      channel.failUnhandled(cause);
      return;
    }
    try {
      c.handler.exceptionCaught(c, cause);
    } catch (Throwable t) {
      if (t != cause) {
        t.addSuppressed(cause);
      }
      fireException(c.next, t);
    }
  }

  /// The exception of a handler starts at the same handler.
  private void caught(@Nullable HandlerContext at, Throwable cause) {
    fireException(at, cause);
  }

  private static void discard(Object message) {
    if (message instanceof Payload payload) {
      LOG.log(System.Logger.Level.DEBUG, "no handler took {0}; it is released", payload);
      payload.release();
    } else if (message instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        LOG.log(System.Logger.Level.WARNING, "closing a message that no handler took failed", e);
      }
    }
  }

  // ---- outbound, from a place towards the transport ----

  private static @Nullable HandlerContext backward(@Nullable HandlerContext from, int event) {
    @Nullable HandlerContext c = from;
    while (c != null && (c.mask & event) == 0) {
      c = c.previous;
    }
    return c;
  }

  void write(Object message, @Nullable Promise<Void> promise) {
    write(last, message, promise);
  }

  void flush() {
    flush(last);
  }

  void shutdownOutput() {
    shutdownOutput(last);
  }

  void close() {
    close(last);
  }

  void pauseReading() {
    pauseReading(last);
  }

  void resumeReading() {
    resumeReading(last);
  }

  void closeGracefully(Duration limit, long maxBytes) {
    closeGracefully(last, limit, maxBytes);
  }

  void write(@Nullable HandlerContext from, Object message, @Nullable Promise<Void> promise) {
    @Nullable HandlerContext c = backward(from, HandlerMask.WRITE);
    if (c == null) {
      channel.transportWrite(message, promise);
      return;
    }
    try {
      c.handler.write(c, message, promise);
    } catch (Throwable t) {
      if (promise != null) {
        promise.tryFailure(t);
      } else {
        caught(c, t);
      }
    }
  }

  void flush(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = backward(from, HandlerMask.FLUSH);
    if (c == null) {
      channel.transportFlush();
      return;
    }
    try {
      c.handler.flush(c);
    } catch (Throwable t) {
      caught(c, t);
    }
  }

  void shutdownOutput(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = backward(from, HandlerMask.SHUTDOWN_OUTPUT);
    if (c == null) {
      channel.transportShutdownOutput();
      return;
    }
    try {
      c.handler.shutdownOutput(c);
    } catch (Throwable t) {
      caught(c, t);
    }
  }

  void close(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = backward(from, HandlerMask.CLOSE);
    if (c == null) {
      channel.transportClose(null);
      return;
    }
    try {
      c.handler.close(c);
    } catch (Throwable t) {
      // The request to close takes effect even if a handler throws.
      channel.transportClose(t);
    }
  }

  void pauseReading(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = backward(from, HandlerMask.PAUSE);
    if (c == null) {
      channel.core().stopReading();
      return;
    }
    try {
      c.handler.pauseReading(c);
    } catch (Throwable t) {
      caught(c, t);
    }
  }

  void resumeReading(@Nullable HandlerContext from) {
    @Nullable HandlerContext c = backward(from, HandlerMask.RESUME);
    if (c == null) {
      channel.core().resumeReading();
      return;
    }
    try {
      c.handler.resumeReading(c);
    } catch (Throwable t) {
      caught(c, t);
    }
  }

  void closeGracefully(@Nullable HandlerContext from, Duration limit, long maxBytes) {
    @Nullable HandlerContext c = backward(from, HandlerMask.CLOSE_GRACEFULLY);
    if (c == null) {
      channel.core().linger(limit, maxBytes);
      return;
    }
    try {
      c.handler.closeGracefully(c, limit, maxBytes);
    } catch (Throwable t) {
      // The request to close takes effect even if a handler throws.
      channel.transportClose(t);
    }
  }
}
