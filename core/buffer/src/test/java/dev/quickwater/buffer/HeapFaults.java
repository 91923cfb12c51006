package dev.quickwater.buffer;

import dev.quickwater.system.NativeAccess;
import dev.quickwater.testkit.FullHeap;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Calls each public method of buffers, composites, views, streams and allocators while the n-th
/// allocation in the Java heap fails, for each n until the call succeeds.
///
/// `-Dqw.faults.part` selects a part of the calls; `-Dqw.faults.step=3` tests every third depth.
///
/// After each call the heap has room again, and all objects that the call left are released. Then
/// no block may be in use, and no memory may be reserved except what a trim keeps. Newly allocated
/// blocks of all sizes must not overlap and must keep their content. One line is printed for each
/// call that breaks a rule.
final class HeapFaults {

  /// Bytes of room in the heap, tried in order. The steps are small where a few small objects make
  /// a difference.
  private static final int[] ROOMS = {
    0, 24, 48, 72, 104, 160, 240, 360, 540, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20
  };

  /// Calls whose allocations depend on the requested size.
  private static final Pattern SIZED = Pattern.compile("allocate.*|ensureWritable|write");

  /// Consecutive successes after which a call has no further allocation that may fail.
  private static final int ENOUGH = 2;

  private static final int[] SIZES = {16, 100, 1000, 5_000, 40_000, 200_000};

  /// Sizes over the largest run in a slab, so that each is a mapping. Only native memory has room
  /// for them.
  private static final int[] MAPPED = {5 << 20, 6 << 20, 9 << 20};

  private static final List<Class<?>> TYPES =
      List.of(
          ByteBuf.class,
          CompositeByteBuf.class,
          Views.class,
          ByteBufInputStream.class,
          ByteBufOutputStream.class,
          LoopAllocator.class,
          SharedAllocator.class,
          UnpooledAllocator.class);

  /// The calls are divided among this number of processes.
  static final int PARTS = 6;

  private static final byte[] BYTES = new byte[300];
  private static final String TEXT = "text with \u00e9 and \u20ac ".repeat(20);

  private static final OutputStream NOWHERE =
      new OutputStream() {
        @Override
        public void write(int value) {}

        @Override
        public void write(byte[] bytes, int offset, int length) {}
      };

  private static final ByteProcessor PROCESSOR = _ -> true;
  private static final Runnable RUNNABLE = () -> {};
  private static final Views.Use<Object, Object, RuntimeException> USE = view -> view;

  private final boolean nativeMemory = NativeAccess.enabled();
  private final FullHeap heap = new FullHeap(nativeMemory ? 3 << 20 : 6 << 20);
  private final List<Payload> left = new ArrayList<>();
  private LoopAllocator loop = new LoopAllocator(nativeMemory);
  private long used;
  private long reserved;
  private int calls;
  private int failures;
  private int broken;

  /// The result of [#invoke], in a field because [#invoke] must not allocate to return it.
  private @Nullable Object result;

  private @Nullable Throwable thrown;

  private HeapFaults() {}

  public static void main(String[] args) throws Exception {
    new HeapFaults().run();
  }

  private void run() throws Exception {
    loop.attach();
    List<Attempt> attempts = attempts();
    int part = Integer.getInteger("qw.faults.part", 0);
    int step = Integer.getInteger("qw.faults.step", 1);
    for (int i = attempts.size() - 1; i >= 0; i--) {
      if (i % PARTS != part) {
        attempts.remove(i);
      }
    }
    for (Attempt attempt : attempts) { // links, loads and initialises what the calls need
      attempt(attempt, -1);
    }
    reserved = reservedAfterTrim();
    used = used();
    String check = overlap();
    if (!check.isEmpty()) {
      throw new AssertionError(check);
    }
    for (Attempt attempt : attempts) {
      int successes = 0;
      for (int i = 0; i < ROOMS.length; i += step) {
        int room = ROOMS[i];
        attempt(attempt, room);
        successes = thrown instanceof OutOfMemoryError ? 0 : successes + 1;
        if (successes == ENOUGH || (successes == 1 && room == 0)) {
          break;
        }
      }
    }
    System.getLogger(HeapFaults.class.getName()).log(System.Logger.Level.ERROR, "still logging");
    System.out.println(calls + " calls, " + failures + " failed, " + broken + " broke a rule");
  }

  // ---- calls ----

  /// One call.
  ///
  /// @param size the value of a length or capacity argument
  private record Attempt(Executable callee, int size) {
    @Override
    public String toString() {
      return callee.getDeclaringClass().getSimpleName()
          + "."
          + callee.getName()
          + Arrays.toString(callee.getParameterTypes()).replaceAll("(class|interface) [a-z.]*", "")
          + " of "
          + size;
    }
  }

  private List<Attempt> attempts() {
    List<Attempt> attempts = new ArrayList<>();
    for (Class<?> type : TYPES) {
      for (Executable callee : callees(type)) {
        attempts.add(new Attempt(callee, 8));
        if (SIZED.matcher(callee.getName()).matches()
            && Arrays.asList(callee.getParameterTypes()).contains(int.class)) {
          attempts.add(new Attempt(callee, 5_000));
          attempts.add(new Attempt(callee, 200_000));
          if (nativeMemory) {
            attempts.add(new Attempt(callee, 5 << 20));
          }
        }
      }
    }
    return attempts;
  }

  private static List<Executable> callees(Class<?> type) {
    List<Executable> callees = new ArrayList<>(List.of(type.getConstructors()));
    for (Method method : type.getMethods()) {
      if (method.getDeclaringClass() != Object.class && !method.isBridge()) {
        method.setAccessible(true);
        callees.add(method);
      }
    }
    callees.sort(Comparator.comparing(Executable::toGenericString));
    return callees;
  }

  /// @param room bytes of room in the Java heap during the call, or -1 for enough
  private void attempt(Attempt attempt, int room) {
    Executable callee = attempt.callee;
    @Nullable Object target = target(callee);
    @Nullable Object[] arguments = arguments(callee.getParameters(), attempt.size);
    result = null;
    thrown = null;
    if (room >= 0) {
      heap.fillUpTo(room);
    }
    invoke(callee, target, arguments);
    heap.release();
    calls++;
    if (room >= 0 && thrown instanceof OutOfMemoryError) {
      failures++;
    }
    if (result instanceof Payload made) {
      left.add(made);
    }
    result = null;
    releaseAll();
    reattach();
    if (room >= 0) {
      check(attempt, room);
    }
  }

  private void invoke(Executable callee, @Nullable Object target, @Nullable Object[] arguments) {
    try {
      result =
          callee instanceof Constructor<?> made
              ? made.newInstance(arguments)
              : ((Method) callee).invoke(target, arguments);
    } catch (InvocationTargetException e) {
      thrown = e.getCause();
    } catch (Throwable t) { // of the Java heap, by the reflection itself
      thrown = t;
    }
  }

  private @Nullable Object target(Executable callee) {
    if (callee instanceof Constructor<?> || Modifier.isStatic(callee.getModifiers())) {
      return null;
    }
    Class<?> type = callee.getDeclaringClass();
    if (type == ByteBuf.class) {
      return callee.getName().equals("release") ? big() : buffer();
    } else if (type.isAssignableFrom(ByteBufInputStream.class)) {
      return new ByteBufInputStream(buffer());
    } else if (type.isAssignableFrom(ByteBufOutputStream.class)) {
      return new ByteBufOutputStream(buffer());
    } else if (type == CompositeByteBuf.class || type == Payload.class) {
      CompositeByteBuf composite = CompositeByteBuf.of(buffer(), buffer(), buffer());
      left.addFirst(composite);
      return composite;
    } else if (type == SharedAllocator.class) {
      return SharedAllocator.of(nativeMemory);
    } else if (type == UnpooledAllocator.class) {
      return UnpooledAllocator.IT;
    }
    if (callee.getName().equals("trim")) {
      idleMappings();
    } else {
      idleMemory();
    }
    return loop;
  }

  private @Nullable Object[] arguments(Parameter[] parameters, int size) {
    @Nullable Object[] drawn = new Object[parameters.length];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = argument(parameters[i], size);
    }
    return drawn;
  }

  private @Nullable Object argument(Parameter parameter, int size) {
    Class<?> type = parameter.getType();
    if (type == int.class) {
      return switch (parameter.getName()) {
        case "index", "from", "offset", "value" -> 4;
        case "maxCapacity" -> 1 << 30;
        default -> size;
      };
    } else if (type == long.class) {
      return (long) size;
    } else if (type == byte.class) {
      return (byte) 1;
    } else if (type == byte[].class) {
      return BYTES;
    } else if (type == ByteBuf.class || type == Payload.class || type == Object.class) {
      return buffer();
    } else if (type == ByteBuf[].class) {
      return new ByteBuf[] {buffer(), buffer()};
    } else if (type == ByteOrder.class) {
      return ByteOrder.LITTLE_ENDIAN;
    } else if (type == Charset.class) {
      return StandardCharsets.UTF_8;
    } else if (type.isAssignableFrom(String.class)) {
      return TEXT;
    }
    for (Object each : new Object[] {NOWHERE, PROCESSOR, RUNNABLE, USE}) {
      if (type.isInstance(each)) {
        return each;
      }
    }
    return null;
  }

  /// A buffer with readable bytes and some room. A write of [#BYTES] makes it grow.
  private ByteBuf buffer() {
    ByteBuf buffer = loop.allocate(64);
    buffer.writerIndex(40);
    left.add(buffer);
    return buffer;
  }

  private ByteBuf big() {
    idleMemory();
    ByteBuf buffer = loop.allocate(nativeMemory ? 5 << 20 : 200_000);
    left.add(buffer);
    return buffer;
  }

  /// Leaves pages and mappings without buffers, which the call may return or hand out.
  private void idleMemory() {
    idleMappings();
    allocateAndRelease(SIZES);
  }

  /// Leaves mappings but no page. A page that a call returns makes room in the Java heap, and then
  /// no later allocation of that call fails.
  private void idleMappings() {
    if (nativeMemory) {
      loop.trim();
      allocateAndRelease(MAPPED[0], MAPPED[1]);
    }
  }

  private void allocateAndRelease(int... sizes) {
    List<ByteBuf> made = new ArrayList<>();
    for (int size : sizes) {
      made.add(loop.allocate(size));
    }
    made.forEach(ByteBuf::release);
  }

  private void releaseAll() {
    for (Payload payload : left) { // a composite first, then its parts as far as they are live
      try {
        payload.release();
      } catch (IllegalStateException _) {
        // released by the call or by its composite
      }
    }
    left.clear();
  }

  private void reattach() {
    try {
      loop.collect();
    } catch (IllegalStateException _) { // the call detached it
      try {
        loop.attach();
      } catch (IllegalStateException _) { // or failed halfway
        loop = new LoopAllocator(nativeMemory);
        loop.attach();
      }
    }
  }

  // ---- accounts ----

  private static long used() {
    return AllocatorMetrics.total(true).used() + AllocatorMetrics.total(false).used();
  }

  private long reservedAfterTrim() {
    loop.trim();
    return AllocatorMetrics.reservedInProcess();
  }

  private void check(Attempt attempt, int room) {
    String wrong = overlap();
    long reservedNow = reservedAfterTrim();
    long usedNow = used();
    if (usedNow != used) {
      wrong += " " + (usedNow - used) + " bytes stay in use";
    }
    if (reservedNow > reserved) {
      wrong += " " + (reservedNow - reserved) + " bytes stay reserved";
    }
    if (!wrong.isEmpty()) {
      System.out.println(attempt + " with room for " + room + ":" + wrong);
      broken++;
    }
    used = usedNow;
    reserved = reservedNow;
  }

  /// The faults of newly allocated blocks, or an empty text.
  private String overlap() {
    List<ByteBuf> buffers = new ArrayList<>();
    String wrong = "";
    try {
      for (int i = 0; i < 3; i++) {
        for (int size : SIZES) {
          buffers.add(loop.allocate(size));
        }
        for (int size : nativeMemory ? MAPPED : new int[0]) {
          buffers.add(loop.allocate(size));
        }
        buffers.add(SharedAllocator.of(nativeMemory).allocate(1000));
      }
      for (int i = 0; i < buffers.size(); i++) {
        ByteBuf buffer = buffers.get(i);
        buffer.setByte(0, i).setByte(buffer.capacity() - 1, i);
      }
      TreeMap<Long, ByteBuf> byAddress = new TreeMap<>();
      for (int i = 0; i < buffers.size(); i++) {
        ByteBuf buffer = buffers.get(i);
        if (buffer.getByte(0) != i || buffer.getByte(buffer.capacity() - 1) != i) {
          wrong = " a block was handed out twice";
        }
        if (nativeMemory) {
          byAddress.put(UnsafeViews.address(buffer, 0), buffer);
        }
      }
      long end = 0;
      for (var entry : byAddress.entrySet()) {
        if (entry.getKey() < end) {
          wrong = " two blocks overlap";
        }
        end = entry.getKey() + entry.getValue().capacity();
      }
    } catch (OutOfMemoryError | RuntimeException e) {
      wrong = " later allocation fails with " + e;
    }
    buffers.forEach(ByteBuf::release);
    return wrong;
  }
}
