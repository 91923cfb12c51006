package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.search.Needle;
import dev.quickwater.system.NativeAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Calls every public method of buffers, composites, views, streams, codecs and allocators in any
/// order with any argument: on live and released handles, with parts that another holder has
/// released, and from inside callbacks.
///
/// - A call may throw the exceptions that the docs of the package name. It may not throw others,
///   return a byte that is outside the blocks of its arguments, or change a byte of other blocks.
/// - After each round all handles are released, and no block may be in use.
/// - Methods are found by reflection, so new methods of these classes are called without changes
///   here. Results are checked by type; a number is checked as content if the name of the method
///   begins with `get` or `read`.
/// - The seed determines the whole run.
final class HostileCaller {

  private static final int OPERATIONS = 300;
  private static final int MAX_HANDLES = 40;
  private static final int TRACED = 40;

  private static final List<Class<?>> STATIC =
      List.of(
          ByteBuf.class,
          CompositeByteBuf.class,
          Views.class,
          Hex.class,
          Utf8.class,
          ByteBufInputStream.class,
          ByteBufOutputStream.class);

  /// Kinds of failure that the docs of the package name.
  private static final List<Class<? extends Throwable>> DOCUMENTED =
      List.of(
          IndexOutOfBoundsException.class,
          IllegalStateException.class,
          IllegalArgumentException.class,
          NullPointerException.class,
          UnsupportedOperationException.class,
          IOException.class,
          UncheckedIOException.class,
          ArithmeticException.class,
          OutOfMemoryError.class);

  private final Random random;
  private final HostileArguments arguments;
  private final boolean nativeMemory;
  private final TaggedBlocks blocks = new TaggedBlocks();
  private final LoopAllocator loop;
  private final List<ByteBuf> handles = new ArrayList<>();
  private final List<CompositeByteBuf> composites = new ArrayList<>();

  /// Other objects of the package, each with the buffer that it was made from, if any.
  private final List<Bound> others = new ArrayList<>();

  private final ArrayDeque<String> trace = new ArrayDeque<>();
  private final BitSet allowed = new BitSet();

  /// The arguments of the current call.
  private @Nullable Object[] inCall = {};

  private int depth;

  /// The number of callbacks that were made.
  private int callbacks;

  private record Bound(Object object, @Nullable ByteBuf buffer) {}

  private static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private HostileCaller(long seed, boolean nativeMemory) {
    this.random = new Random(seed);
    this.nativeMemory = nativeMemory;
    this.loop = new LoopAllocator(nativeMemory);
    this.arguments = new HostileArguments(random, this::callback);
    arguments.setSeen(this::seen);
  }

  /// Rounds are played even if the machine is slow.
  private static final int MIN_ROUNDS = 3;

  /// Prints each seed before its round. If the process ends in a round, the last line names that
  /// round.
  public static void main(String[] args) {
    long first = Long.getLong("qw.hostile.seed", 1);
    long millis = Long.getLong("qw.hostile.millis", 1_000);
    boolean nativeMemory = NativeAccess.enabled();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long seed = first;
    do {
      System.out.println("seed=" + seed);
      new HostileCaller(seed, nativeMemory && (seed & 3) != 0).round();
      seed++;
    } while (seed - first < MIN_ROUNDS || System.nanoTime() < until);
    System.out.println("passed");
  }

  private void round() {
    long used = TaggedBlocks.used();
    loop.attach();
    try {
      bindAllocators();
      for (int i = 0; i < OPERATIONS; i++) {
        operation();
        if (i % 16 == 0) {
          blocks.check();
        }
      }
      blocks.check();
      releaseAll();
      long left = TaggedBlocks.used() - used;
      if (left != 0) {
        throw new AssertionError(left + " bytes are in use after all handles were released");
      }
    } catch (Throwable t) {
      throw new AssertionError(String.join("\n", trace), t);
    }
    try {
      loop.detach();
    } catch (IllegalStateException _) {
      // detached by a call
    }
  }

  private void bindAllocators() {
    others.clear();
    for (Object each :
        List.of(
            loop,
            SharedAllocator.of(nativeMemory),
            ByteBufAllocator.arrays(),
            ByteBufAllocator.unpooled(),
            Base64Codec.STANDARD,
            Base64Codec.URL.withoutPadding(),
            Needle.of(new byte[] {1, 1}).search())) {
      others.add(new Bound(each, null));
    }
  }

  private void releaseAll() {
    composites.forEach(HostileCaller::releaseQuietly);
    handles.forEach(HostileCaller::releaseQuietly);
    composites.clear();
    handles.clear();
    blocks.update(handles);
  }

  /// A composite reports a part that another holder has released, and releases the others.
  private static void releaseQuietly(Payload payload) {
    try {
      payload.release();
    } catch (IllegalStateException _) {
      // released before
    }
  }

  // ---- one call ----

  private void operation() {
    if (handles.size() > MAX_HANDLES || !blocks.hasRoom()) {
      List<ByteBuf> old = handles.subList(0, handles.size() / 2);
      composites.forEach(HostileCaller::releaseQuietly);
      composites.clear();
      old.forEach(HostileCaller::releaseQuietly);
      old.clear();
      others.removeIf(each -> each.buffer != null);
      update();
    }
    if (random.nextInt(64) == 0) {
      probe();
    }
    int kind = random.nextInt(20);
    int calls = 1 + random.nextInt(8);
    if (kind == 0) {
      allocate();
    } else if (kind <= 10) {
      @Nullable ByteBuf buffer = any(handles);
      callOften(calls, ByteBuf.class, buffer, buffer);
    } else if (kind == 11) {
      compose();
    } else if (kind <= 15) {
      callOften(2 * calls, CompositeByteBuf.class, any(composites), null);
    } else if (kind <= 16) {
      Bound bound = others.get(random.nextInt(others.size()));
      callOften(calls, bound.object.getClass(), bound.object, bound.buffer);
    } else {
      call(pick(STATIC.get(random.nextInt(STATIC.size())), STATIC_CALLS), null, null);
    }
  }

  /// Makes some of the next allocations fail, or lets all succeed again.
  private void probe() {
    try {
      Heaps.probe(random.nextBoolean() ? arguments::mayFail : null);
    } catch (IllegalStateException _) {
      // a call has detached the allocator
    }
  }

  /// Makes several calls on one object. About half of them read, because a wrong state is visible
  /// in the calls that follow. Occasionally another holder releases a buffer between the calls.
  private void callOften(
      int calls, Class<?> type, @Nullable Object target, @Nullable ByteBuf buffer) {
    if (target == null) {
      return;
    }
    for (int i = 0; i < calls; i++) {
      call(pick(type, random.nextBoolean() ? INSTANCE_READS : INSTANCE_CALLS), target, buffer);
      if (random.nextInt(16) == 0) {
        releaseQuietlyAny();
      } else if (target instanceof CompositeByteBuf composite && random.nextInt(12) == 0) {
        releasePart(composite);
      }
    }
  }

  /// Releases a part as a wrong second holder does.
  private void releasePart(CompositeByteBuf composite) {
    if (composite.isLive()) {
      @Nullable ByteBuf part = any(composite.parts());
      if (part != null) {
        releaseQuietly(part);
        update();
      }
    }
  }

  /// Creates a composite of short slices, so that values extend over several parts.
  private void compose() {
    ByteBuf[] parts = new ByteBuf[1 + random.nextInt(6)];
    for (int i = 0; i < parts.length; i++) {
      @Nullable ByteBuf buffer = anyLive();
      if (buffer == null) {
        break;
      }
      int length = Math.min(buffer.capacity(), random.nextInt(12));
      parts[i] = buffer.slice(random.nextInt(buffer.capacity() - length + 1), length);
      handles.add(parts[i]);
    }
    if (parts[parts.length - 1] != null) {
      composites.add(CompositeByteBuf.of(parts));
    }
    update();
  }

  /// A plain allocation, so that the next calls have a buffer.
  private void allocate() {
    Object allocator = others.get(random.nextInt(4)).object;
    int capacity = random.nextInt(1 << random.nextInt(1, 13));
    try {
      long used = TaggedBlocks.used();
      int before = callbacks;
      ByteBuf buffer = ((ByteBufAllocator) allocator).allocate(capacity);
      buffer.writerIndex(capacity);
      handles.add(buffer);
      if (callbacks == before) {
        blocks.allocated(buffer, TaggedBlocks.used() - used);
      }
    } catch (IllegalStateException e) {
      requireDocumented(e);
      loop.attach(); // a call has detached it
    } catch (Thrown | OutOfMemoryError _) {
      // a probe, or the limit
    }
    update();
  }

  /// Public methods and constructors, in an order that does not depend on the JVM.
  private static final ClassValue<Executable[]> STATIC_CALLS = calls(HostileCaller::isStatic);

  private static final ClassValue<Executable[]> INSTANCE_CALLS = calls(callee -> !isStatic(callee));

  private static final ClassValue<Executable[]> INSTANCE_READS =
      calls(callee -> !isStatic(callee) && isRead(callee));

  private static boolean isStatic(Executable callee) {
    return callee instanceof Constructor<?> || Modifier.isStatic(callee.getModifiers());
  }

  private static ClassValue<Executable[]> calls(Predicate<Executable> chosen) {
    return new ClassValue<>() {
      @Override
      protected Executable[] computeValue(Class<?> type) {
        List<Executable> found = new ArrayList<>(List.of(type.getConstructors()));
        for (Method method : type.getMethods()) {
          if (!method.isBridge() && isCalled(method)) {
            method.setAccessible(true);
            found.add(method);
          }
        }
        found.removeIf(chosen.negate());
        found.sort(Comparator.comparing(Executable::toGenericString));
        return found.toArray(Executable[]::new);
      }
    };
  }

  private static boolean isCalled(Method method) {
    String name = method.getName();
    return method.getDeclaringClass() != Object.class
        || List.of("equals", "hashCode", "toString").contains(name);
  }

  private Executable pick(Class<?> type, ClassValue<Executable[]> kind) {
    Executable[] calls = kind.get(type);
    return calls.length == 0 ? pick(type, INSTANCE_CALLS) : calls[random.nextInt(calls.length)];
  }

  private <T> @Nullable T any(List<T> list) {
    return list.isEmpty() ? null : list.get(random.nextInt(list.size()));
  }

  private @Nullable ByteBuf anyLive() {
    for (int tries = 0; tries < 8; tries++) {
      @Nullable ByteBuf buffer = any(handles);
      if (buffer != null && buffer.isLive()) {
        return buffer;
      }
    }
    return null;
  }

  private void call(Executable callee, @Nullable Object target, @Nullable ByteBuf buffer) {
    BitSet outer = (BitSet) allowed.clone();
    allowTags(target);
    allowTags(buffer);
    @Nullable ByteBuf near = buffer == null ? any(handles) : buffer;
    @Nullable Object[] drawn = draw(callee.getParameters(), near);
    note(callee, target, drawn);
    @Nullable Object[] outerArguments = inCall;
    inCall = drawn;
    long used = TaggedBlocks.used();
    int callbacksBefore = callbacks;
    @Nullable Object result = null;
    boolean returned = false;
    try {
      result =
          callee instanceof Constructor<?> made
              ? made.newInstance(drawn)
              : ((Method) callee).invoke(target, drawn);
      returned = true;
    } catch (InvocationTargetException e) {
      requireDocumented(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(callee.toString(), e);
    }
    // A callback may have tagged a block that one of these grew into.
    allowTags(target);
    allowTags(buffer);
    Arrays.stream(drawn).forEach(this::allowTags);
    if (returned) {
      checkResult(callee, target, result);
      if (target instanceof ByteBufAllocator
          && result instanceof ByteBuf made
          && callbacks == callbacksBefore) {
        blocks.allocated(made, TaggedBlocks.used() - used);
      }
      keep(result, buffer == null ? firstBuffer(drawn) : buffer);
    }
    for (Object argument : drawn) {
      if (argument instanceof byte[] bytes && isRead(callee)) {
        checkFilled(bytes);
      }
    }
    update();
    // A buffer without capacity may have grown into the room behind it.
    allowTags(target);
    allowTags(buffer);
    Arrays.stream(drawn).forEach(this::allowTags);
    blocks.tagAgain(allowed);
    inCall = outerArguments;
    allowed.clear();
    allowed.or(outer);
  }

  private void update() {
    List<ByteBuf> all = new ArrayList<>(handles);
    for (CompositeByteBuf composite : composites) {
      if (composite.isLive()) {
        all.addAll(composite.parts());
      }
    }
    blocks.update(all);
    blocks.tagAgain(allowed);
  }

  private @Nullable Object[] draw(Parameter[] parameters, @Nullable ByteBuf near) {
    @Nullable Object[] drawn = new Object[parameters.length];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = draw(parameters[i], near);
      allowTags(drawn[i]);
    }
    return drawn;
  }

  private @Nullable Object draw(Parameter parameter, @Nullable ByteBuf near) {
    Class<?> type = parameter.getType();
    if (type == ByteBuf.class || type == Payload.class || type == Object.class) {
      return random.nextInt(20) == 0 ? null : any(handles);
    } else if (type == CompositeByteBuf.class) {
      return any(composites);
    } else if (type == ByteBuf[].class) {
      ByteBuf[] parts = new ByteBuf[random.nextInt(6)];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = any(handles);
      }
      return parts;
    }
    return arguments.of(parameter, near);
  }

  private static @Nullable ByteBuf firstBuffer(@Nullable Object[] drawn) {
    for (Object each : drawn) {
      if (each instanceof ByteBuf buffer) {
        return buffer;
      }
    }
    return null;
  }

  private void allowTags(@Nullable Object of) {
    if (of instanceof ByteBuf buffer) {
      blocks.addTag(buffer, allowed);
    } else if (of instanceof CompositeByteBuf composite && composite.isLive()) {
      composite.parts().forEach(part -> blocks.addTag(part, allowed));
    } else if (of instanceof ByteBuf[] buffers) {
      Arrays.stream(buffers).forEach(part -> blocks.addTag(part, allowed));
    }
  }

  private void note(Executable callee, @Nullable Object target, @Nullable Object[] drawn) {
    if (trace.size() >= TRACED) {
      trace.removeFirst();
    }
    StringBuilder text = new StringBuilder("  ".repeat(depth));
    name(text, target).append(' ').append(callee.getName()).append('(');
    for (Object each : drawn) {
      name(text, each).append(", ");
    }
    trace.addLast(text.append(')').toString());
  }

  private StringBuilder name(StringBuilder text, @Nullable Object object) {
    if (object instanceof ByteBuf buffer) {
      text.append('#').append(index(buffer)).append(buffer);
    } else if (object instanceof byte[] bytes) {
      text.append("byte[").append(bytes.length).append(']');
    } else if (object instanceof ByteBuf[] buffers) {
      Arrays.stream(buffers).forEach(each -> name(text, each));
    } else {
      text.append(object instanceof java.lang.reflect.Proxy ? "function" : String.valueOf(object));
    }
    return text;
  }

  // ---- callbacks ----

  private @Nullable Object callback() {
    callbacks++;
    if (depth > 1) {
      return null;
    }
    depth++;
    update(); // the call may have freed a block by growing, which an allocation below may reuse
    try {
      switch (random.nextInt(8)) {
        case 0 -> throw new Thrown();
        case 1 -> allocate();
        case 2 -> releaseQuietlyAny();
        default -> {}
      }
    } finally {
      depth--;
    }
    return null;
  }

  private void releaseQuietlyAny() {
    @Nullable ByteBuf buffer = any(handles);
    if (buffer != null && random.nextBoolean()) {
      releaseQuietly(buffer);
      update();
    }
  }

  /// A view or byte that a function received. All of it must belong to the blocks of the call.
  private void seen(@Nullable Object argument) {
    switch (argument) {
      case Byte value -> require(value);
      case byte[] bytes -> requireAll(bytes);
      case ByteBuffer view -> {
        tagMoved();
        byte[] bytes = new byte[view.remaining()];
        view.duplicate().get(bytes);
        checkFilled(bytes); // writable room may be an array of zeros that is copied afterwards
        if (view.hasArray()) {
          checkFilled(view.array());
        }
        view.position(random.nextInt(view.limit() + 1));
      }
      case MemorySegment segment -> requireAll(segment.toArray(ValueLayout.JAVA_BYTE));
      case null, default -> {}
    }
  }

  /// Writable room may be in a block into which the buffer has just grown.
  private void tagMoved() {
    update();
    for (Object each : inCall) {
      allowTags(each);
    }
  }

  // ---- results of calls ----

  private static boolean isRead(Executable callee) {
    return callee.getName().startsWith("get") || callee.getName().startsWith("read");
  }

  private void checkResult(Executable callee, @Nullable Object target, @Nullable Object result) {
    switch (result) {
      case Byte value when isRead(callee) -> requireNumber(value, 1);
      case Short value when isRead(callee) -> requireNumber(value, 2);
      case Integer value
          when isRead(callee) && !callee.getName().matches("reader.*|readable.*") -> {
        if (!(target instanceof ByteBufInputStream)) {
          requireNumber(value, width(callee.getName()));
        } else if (callee.getParameterCount() == 0 && value != -1) {
          requireNumber(value, 1);
        }
      }
      case Long value when isRead(callee) ->
          requireNumber(value, callee.getName().contains("Int") ? 4 : 8);
      case byte[] bytes -> requireAll(bytes);
      case String text
          when !callee.getName().equals("toString") || callee.getParameterCount() > 0 -> {
        if (callee.getDeclaringClass() == ByteBuf.class
            || callee.getDeclaringClass() == CompositeByteBuf.class) {
          requireText(text);
        }
      }
      case null, default -> {}
    }
  }

  private static int width(String name) {
    return name.contains("Byte") ? 1 : name.contains("Short") ? 2 : name.contains("Medium") ? 3 : 4;
  }

  private void requireNumber(long value, int width) {
    for (int i = 0; i < width; i++) {
      require((byte) (value >>> 8 * i));
    }
  }

  private void requireAll(byte[] bytes) {
    for (byte each : bytes) {
      require(each);
    }
  }

  /// An array that was created with zeros, some of which the callee has replaced.
  private void checkFilled(byte[] bytes) {
    for (byte each : bytes) {
      if (each != 0) {
        require(each);
      }
    }
  }

  private void requireText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\ufffd') {
        require((byte) c);
        if (c >>> 8 != 0) {
          require((byte) (c >>> 8));
        }
      }
    }
  }

  private void require(byte value) {
    if (value <= 0 || !allowed.get(value)) {
      throw new AssertionError("read the byte " + value + " of another block, not of " + allowed);
    }
  }

  private static void requireDocumented(Throwable thrown) {
    boolean isPoison =
        Arrays.stream(thrown.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith(".Poison"));
    if (thrown instanceof Thrown
        || thrown instanceof java.lang.reflect.UndeclaredThrowableException) {
      return;
    }
    if (isPoison || DOCUMENTED.stream().noneMatch(kind -> kind.isInstance(thrown))) {
      throw new AssertionError("undocumented failure", thrown);
    }
  }

  private void keep(@Nullable Object result, @Nullable ByteBuf buffer) {
    switch (result) {
      case ByteBuf made -> {
        if (index(made) < 0) {
          handles.add(made);
        }
      }
      case CompositeByteBuf made -> {
        if (!composites.contains(made)) {
          composites.add(made);
        }
      }
      case null -> {}
      default -> {
        if (result.getClass().getPackage() == HostileCaller.class.getPackage()
            && !(result instanceof Record)
            && others.stream().noneMatch(each -> each.object == result)
            && others.size() < 30) {
          others.add(new Bound(result, buffer));
        }
      }
    }
  }

  /// Compares by identity, because buffers with equal content are equal.
  private int index(ByteBuf buffer) {
    for (int i = 0; i < handles.size(); i++) {
      if (handles.get(i) == buffer) {
        return i;
      }
    }
    return -1;
  }
}
