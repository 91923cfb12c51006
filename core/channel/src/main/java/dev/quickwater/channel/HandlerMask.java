package dev.quickwater.channel;

import dev.quickwater.common.Promise;

/// Which events a handler class wants, as bits: those whose method it overrides.
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

  private static final int ALL = (1 << 12) - 1;

  private static final ClassValue<Integer> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
          return compute(type);
        }
      };

  private HandlerMask() {}

  static int of(Class<? extends ChannelHandler> type) {
    return OF_CLASS.get(type);
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
          | bit(type, CLOSE, "close", context);
    } catch (NoSuchMethodException | LinkageError _) {
      // A class that cannot be looked at, say for a type that is missing at run time, gets
      // everything.
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
