package dev.quickwater.buffer;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Generates arguments, both ordinary ones and ones that no caller should pass.
final class HostileArguments {

  private static final Charset[] CHARSETS = {
    StandardCharsets.UTF_8,
    StandardCharsets.ISO_8859_1,
    StandardCharsets.US_ASCII,
    StandardCharsets.UTF_16BE
  };

  private static final String[] TEXTS = {
    "",
    "a",
    "text of some length, longer than a word",
    "\u00e9\u20ac",
    "\ud83d\ude00",
    "\ud800",
    "0f1E",
    "zz",
    "QUJD",
    "=",
    "0123456789abcdef".repeat(20)
  };

  private final Random random;
  private final Supplier<@Nullable Object> callback;
  private @Nullable Seen seen;

  /// @param callback called by every generated function, which returns its result
  HostileArguments(Random random, Supplier<@Nullable Object> callback) {
    this.random = random;
    this.callback = callback;
  }

  /// A number close to a limit of `buffer`, or an absurd one.
  int number(@Nullable ByteBuf buffer) {
    int[] edges = {0, 1, 8, 0, 0};
    if (buffer != null && buffer.isLive()) {
      int capacity = buffer.capacity();
      int readable = buffer.writerIndex() - buffer.readerIndex();
      edges =
          new int[] {capacity, buffer.readerIndex(), buffer.writerIndex(), readable, capacity / 2};
    }
    return switch (random.nextInt(16)) {
      case 0 -> Integer.MIN_VALUE + random.nextInt(9);
      case 1 -> Integer.MAX_VALUE - random.nextInt(9);
      case 2 -> -1 - random.nextInt(16);
      case 3 -> 1 << random.nextInt(20);
      case 4, 5, 6 -> random.nextInt(17);
      case 7, 8 -> random.nextInt(Math.max(1, edges[0] + 1));
      default -> edges[random.nextInt(edges.length)] + random.nextInt(19) - 9;
    };
  }

  /// An argument for a parameter whose type is not from this package.
  @Nullable Object of(Parameter parameter, @Nullable ByteBuf target) {
    Class<?> type = parameter.getType();
    if (type == int.class) {
      return number(target);
    } else if (type == long.class) {
      return random.nextInt(4) == 0 ? random.nextLong() : (long) number(target);
    } else if (type == byte.class) {
      return (byte) random.nextInt();
    } else if (type == short.class) {
      return (short) random.nextInt();
    } else if (type == char.class) {
      return (char) random.nextInt();
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == float.class) {
      return random.nextFloat();
    } else if (type == double.class) {
      return random.nextDouble();
    }
    return random.nextInt(20) == 0 ? null : object(type, target);
  }

  private @Nullable Object object(Class<?> type, @Nullable ByteBuf target) {
    if (type == byte[].class) {
      return new byte[random.nextInt(8) == 0 ? random.nextInt(4096) : random.nextInt(65)];
    } else if (type == ByteOrder.class) {
      return random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    } else if (type == Charset.class) {
      return CHARSETS[random.nextInt(CHARSETS.length)];
    } else if (type == CharSequence.class && random.nextInt(4) == 0) {
      return new Liar();
    } else if (type.isAssignableFrom(String.class)) {
      return TEXTS[random.nextInt(TEXTS.length)];
    } else if (type == OutputStream.class) {
      return new CallingStream();
    } else if (type == Runnable.class) {
      return (Runnable) this::mayFail;
    } else if (type == List.class) {
      return List.of();
    } else if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), random.nextInt(3));
    } else if (type.isInterface() && !type.isSealed()) {
      return function(type);
    }
    return null;
  }

  /// The callback that wakes a loop and the probe of a heap run while a buffer grows or is
  /// released. Neither may use buffers.
  void mayFail() {
    if (random.nextInt(8) == 0) {
      throw new OutOfMemoryError("from a probe");
    }
  }

  /// An object whose methods all run the callback.
  private Object function(Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (_, method, arguments) -> {
          if (arguments != null) {
            for (Object argument : arguments) {
              seen(argument);
            }
          }
          Object result = callback.get();
          Class<?> returned = method.getReturnType();
          if (returned == boolean.class) {
            return random.nextInt(8) != 0;
          } else if (returned == int.class) {
            return random.nextInt(9) - 1;
          } else if (returned == long.class) {
            return (long) random.nextInt(9) - 1;
          }
          return returned == Object.class ? result : null;
        });
  }

  /// Receives the argument that the callee passes to a function.
  interface Seen {
    void seen(@Nullable Object argument);
  }

  void setSeen(Seen observer) {
    seen = observer;
  }

  private void seen(@Nullable Object argument) {
    Seen observer = seen;
    if (observer != null) {
      observer.seen(argument);
    }
  }

  /// A text whose length changes on each call.
  private final class Liar implements CharSequence {
    @Override
    public int length() {
      return random.nextInt(16) == 0 ? Math.abs(number(null) | 1) : random.nextInt(200);
    }

    @Override
    public char charAt(int index) {
      if (random.nextInt(64) == 0) {
        callback.get();
      }
      return (char) (random.nextBoolean() ? 'x' : random.nextInt());
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return this;
    }

    @Override
    public String toString() {
      return "liar";
    }
  }

  private final class CallingStream extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      bytes.write(source, offset, length);
      seen(bytes.toByteArray());
      callback.get();
    }
  }
}
