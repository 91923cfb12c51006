package dev.quickwater.channel;

import dev.quickwater.common.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The events that a handler class handles, one bit for each event method that the class overrides.
final class HandlerMask {

  static final int ACTIVE = 1;
  static final int INACTIVE = 1 << 1;
  static final int READ = 1 << 2;
  static final int READ_COMPLETE = 1 << 3;
  static final int INPUT_CLOSED = 1 << 4;
  static final int WRITABILITY = 1 << 5;
  static final int USER_EVENT = 1 << 6;
  static final int EXCEPTION = 1 << 7;
  static final int WRITE = 1 << 8;
  static final int FLUSH = 1 << 9;
  static final int SHUTDOWN_OUTPUT = 1 << 10;
  static final int CLOSE = 1 << 11;

  static final int PAUSE = 1 << 12;
  static final int RESUME = 1 << 13;
  static final int CLOSE_GRACEFULLY = 1 << 14;

  private static final int ALL = (1 << 15) - 1;

  private static final ClassValue<HandlerMask> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected HandlerMask computeValue(Class<?> type) {
          return new HandlerMask(compute(type));
        }
      };

  final int bits;

  /// The context that was added last for a handler of this class; null after its removal. Several
  /// loops write this field without synchronisation. The check costs one field access. It detects a
  /// handler that is added to two pipelines, unless another handler of the class was added in
  /// between.
  private @Nullable HandlerContext last;

  private HandlerMask(int bits) {
    this.bits = bits;
  }

  static HandlerMask of(Class<? extends ChannelHandler> type) {
    return OF_CLASS.get(type);
  }

  /// Records that a handler of the class is added.
  ///
  /// @return false if the same object is in another pipeline
  boolean added(HandlerContext context) {
    @Nullable HandlerContext before = last;
    if (before != null
        && before.handler == context.handler
        && before.pipeline != context.pipeline
        && !before.isRemoved()
        && !context.handler.isShareable()) {
      return false;
    }
    last = context;
    return true;
  }

  void removed(HandlerContext context) {
    if (last == context) {
      last = null;
    }
  }

  private static int compute(Class<?> type) {
    Class<?> context = HandlerContext.class;
    try {
      return bit(type, ACTIVE, "channelActive", context)
          | bit(type, INACTIVE, "channelInactive", context)
          | bit(type, READ, "channelRead", context, Object.class)
          | bit(type, READ_COMPLETE, "channelReadComplete", context)
          | bit(type, INPUT_CLOSED, "channelInputClosed", context)
          | bit(type, WRITABILITY, "channelWritabilityChanged", context)
          | bit(type, USER_EVENT, "userEvent", context, Object.class)
          | bit(type, EXCEPTION, "exceptionCaught", context, Throwable.class)
          | bit(type, WRITE, "write", context, Object.class, Promise.class)
          | bit(type, FLUSH, "flush", context)
          | bit(type, SHUTDOWN_OUTPUT, "shutdownOutput", context)
          | bit(type, CLOSE, "close", context)
          | bit(type, PAUSE, "pauseReading", context)
          | bit(type, RESUME, "resumeReading", context)
          | bit(type, CLOSE_GRACEFULLY, "closeGracefully", context, Duration.class, long.class);
    } catch (NoSuchMethodException | LinkageError _) {
      // A class that cannot be inspected, for example because a type is missing at run time, gets
      // all events.
      return ALL;
    }
  }

  private static int bit(Class<?> type, int bit, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    boolean inherited =
        type.getMethod(name, parameters).getDeclaringClass() == ChannelHandler.class;
    return inherited ? 0 : bit;
  }
}
