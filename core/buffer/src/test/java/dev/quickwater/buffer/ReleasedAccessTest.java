package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Every public method of a buffer, found by reflection, so that none is forgotten: it works while
/// the buffer is live, and throws once it is released, on whichever thread that was.
class ReleasedAccessTest extends Buffers {

  /// What is known without the memory stays known.
  private static final Set<String> STILL_ANSWERED =
      Set.of(
          "readerIndex()",
          "writerIndex()",
          "maxCapacity()",
          "isLive()",
          "touch(Object)",
          "equals(Object)",
          "hashCode()",
          "toString()");

  private static final List<Method> METHODS =
      Stream.of(ByteBuf.class, ValueAccess.class, BulkAccess.class)
          .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
          .filter(m -> !Modifier.isAbstract(m.getModifiers()))
          .filter(m -> Modifier.isPublic(m.getModifiers()) && !Modifier.isStatic(m.getModifiers()))
          .filter(m -> !m.isBridge() && !m.isSynthetic())
          .filter(m -> !STILL_ANSWERED.contains(name(m)))
          .toList();

  @TempDir private Path directory;
  private FileChannel file;

  @BeforeEach
  void openFile() throws Exception {
    Path path = Files.write(directory.resolve("file"), new byte[64]);
    file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @AfterEach
  void closeFile() throws Exception {
    file.close();
  }

  private static String name(Method method) {
    StringBuilder name = new StringBuilder(method.getName()).append('(');
    for (Class<?> type : method.getParameterTypes()) {
      name.append(name.charAt(name.length() - 1) == '(' ? "" : ", ").append(type.getSimpleName());
    }
    return name.append(')').toString();
  }

  /// Valid arguments for a live buffer of 64 bytes, the first 32 written.
  private Object[] arguments(Method method, int number) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = argument(types[i], number, method);
    }
    return arguments;
  }

  private Object argument(Class<?> type, int number, Method method) {
    Map<Class<?>, Object> known =
        Map.ofEntries(
            Map.entry(int.class, number),
            Map.entry(long.class, (long) number),
            Map.entry(byte.class, (byte) number),
            Map.entry(short.class, (short) number),
            Map.entry(float.class, 1f),
            Map.entry(double.class, 1d),
            Map.entry(boolean.class, true),
            Map.entry(char.class, 'c'),
            Map.entry(byte[].class, new byte[8]),
            Map.entry(ByteOrder.class, ByteOrder.LITTLE_ENDIAN),
            Map.entry(Charset.class, StandardCharsets.US_ASCII),
            Map.entry(String.class, "text"),
            Map.entry(CharSequence.class, "text"),
            Map.entry(Object.class, "object"),
            Map.entry(ByteBuf.class, ByteBuf.wrap(new byte[8])),
            Map.entry(ByteBuffer.class, ByteBuffer.allocate(8)),
            Map.entry(MemorySegment.class, MemorySegment.ofArray(new byte[8])),
            Map.entry(InputStream.class, new ByteArrayInputStream(new byte[8])),
            Map.entry(OutputStream.class, new ByteArrayOutputStream()));
    Object value = known.get(type);
    if (value == null && type.isInstance(file)) {
      return file;
    }
    if (value == null && type.isInterface()) {
      return Proxy.newProxyInstance(
          ByteBuf.class.getClassLoader(),
          new Class<?>[] {type},
          (_, called, _) -> called.getReturnType() == boolean.class ? true : null);
    }
    if (value == null) {
      throw new AssertionError("this test knows no " + type + " to call " + name(method) + " with");
    }
    return value;
  }

  /// @return what the method threw, or an empty text
  private String call(Method method, ByteBuf buffer, int number) throws Exception {
    file.position(0);
    try {
      Object result = method.invoke(buffer, arguments(method, number));
      if (result instanceof ByteBuf other && other != buffer) {
        other.release();
      } else if (result instanceof AutoCloseable view) {
        view.close();
      }
      return "";
    } catch (InvocationTargetException e) {
      return e.getCause().toString();
    }
  }

  private static ByteBuf written(LoopAllocator allocator) {
    return allocator.allocate(64, 128).writeBytes(new byte[32]);
  }

  /// Makes a released handle for each method, by way of `release`.
  private void everyMethodThrows(Storage storage, Function<ByteBuf, ByteBuf> release)
      throws Exception {
    LoopAllocator allocator = allocator(storage);
    List<String> wrong = new ArrayList<>();
    for (Method method : METHODS) {
      for (int number = 0; number <= 1; number++) {
        ByteBuf released = release.apply(written(allocator));
        String thrown = call(method, released, number);
        if (!thrown.equals("java.lang.IllegalStateException: the buffer was released")) {
          wrong.add(name(method) + " with " + number + ": " + thrown);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @EachStorage
  void everyMethodWorksOnALiveBuffer(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    List<String> wrong = new ArrayList<>();
    int worked = 0;
    for (Method method : METHODS) {
      for (int number = 0; number <= 1; number++) {
        ByteBuf buffer = written(allocator);
        String thrown = call(method, buffer, number);
        if (thrown.isEmpty()) {
          worked++;
        } else if (!method.getName().startsWith("unsafe")) {
          wrong.add(name(method) + " with " + number + ": " + thrown);
        }
        if (buffer.isLive()) {
          buffer.release();
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(worked > 80, "only " + worked + " calls");
  }

  @EachStorage
  void everyMethodThrowsOnceTheBufferIsReleased(Storage storage) throws Exception {
    everyMethodThrows(
        storage,
        buffer -> {
          buffer.release();
          return buffer;
        });
  }

  @EachStorage
  void everyMethodThrowsOnceAnotherThreadHasReleasedTheBuffer(Storage storage) throws Exception {
    everyMethodThrows(
        storage,
        buffer -> {
          try {
            Threads.elsewhere(buffer::release);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          return buffer;
        });
  }

  @EachStorage
  void everyMethodThrowsForAViewWhoseMemoryIsHeldByOthers(Storage storage) throws Exception {
    List<ByteBuf> holders = new ArrayList<>();
    everyMethodThrows(
        storage,
        buffer -> {
          ByteBuf view = buffer.share();
          view.release();
          holders.add(buffer);
          return view;
        });
    for (ByteBuf holder : holders) {
      assertEquals(32, holder.readableBytes());
      holder.release();
    }
  }
}
