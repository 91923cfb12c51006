package dev.quickwater.microbench.trace;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Records the requests of a real run to our allocators.
///
/// A separate class loader loads Quickwater once more, with three hooks in its public methods:
/// where an allocator returns a buffer, where a buffer returns a buffer, and where one is released.
/// Handles are counted to tell when their block dies; a buffer that has grown gave its block back
/// for a larger one.
public final class TraceRecorder {

  private static final String OURS = "dev.quickwater.";
  private static final String BUFFER = OURS + "buffer.ByteBuf";
  private static final Set<String> ALLOCATORS =
      Set.of(OURS + "buffer.LoopAllocator", OURS + "buffer.SharedAllocator");
  private static final String RECORDER = TraceRecorder.class.getName();

  private static final ClassDesc SELF = ClassDesc.of(RECORDER);
  private static final ClassDesc BUFFER_TYPE = ClassDesc.of(BUFFER);
  private static final MethodTypeDesc INT = MethodTypeDesc.of(ConstantDescs.CD_int);
  private static final MethodTypeDesc HOOK =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_int);
  private static final MethodTypeDesc TWO_HOOK =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          ConstantDescs.CD_Object,
          ConstantDescs.CD_Object,
          ConstantDescs.CD_int);

  private static final class Block {
    int number;
    int size;
    int holders = 1;
  }

  private static final IdentityHashMap<Object, Block> HANDLES = new IdentityHashMap<>();
  private static final List<Event> EVENTS = new ArrayList<>();
  private static final List<Thread> THREADS = new ArrayList<>();
  private static int blocks;
  private static long begin;

  private TraceRecorder() {}

  /// Runs [RecordedRun] and returns its requests.
  static synchronized Trace record() throws ReflectiveOperationException {
    HANDLES.clear();
    EVENTS.clear();
    THREADS.clear();
    blocks = 0;
    begin = System.nanoTime();
    // Not under the lock of the hooks: the run's own threads call them.
    Class.forName(RecordedRun.class.getName(), true, new Loader()).getMethod("run").invoke(null);
    synchronized (EVENTS) {
      return Trace.of("recorded", EVENTS);
    }
  }

  /// An allocator made `handle`.
  public static void allocated(Object handle, int capacity) {
    synchronized (EVENTS) {
      Block block = new Block();
      HANDLES.put(handle, block);
      take(block, capacity);
    }
  }

  /// `from` returned `to`, itself or another handle.
  public static void returned(Object from, Object to, int capacity) {
    synchronized (EVENTS) {
      Block block = HANDLES.get(from);
      if (block == null) {
        return;
      }
      if (from != to) {
        if (HANDLES.putIfAbsent(to, block) == null) {
          block.holders++;
        }
      } else if (block.holders == 1 && capacity > block.size) {
        int old = block.number;
        take(block, capacity);
        event(old, Event.FREE);
      }
    }
  }

  /// `handle` is about to be released.
  public static void released(Object handle, int live) {
    synchronized (EVENTS) {
      Block block = live == 0 ? null : HANDLES.remove(handle);
      if (block != null && --block.holders == 0) {
        event(block.number, Event.FREE);
      }
    }
  }

  private static void take(Block block, int capacity) {
    block.number = blocks++;
    block.size = capacity;
    event(block.number, capacity);
  }

  private static void event(int block, int size) {
    Thread thread = Thread.currentThread();
    int index = THREADS.indexOf(thread);
    if (index < 0) {
      index = THREADS.size();
      THREADS.add(thread);
    }
    EVENTS.add(new Event((System.nanoTime() - begin) / 1000, index, block, size));
  }

  /// Loads Quickwater's classes itself, all but this one, which both worlds share.
  private static final class Loader extends ClassLoader {

    Loader() {
      super(TraceRecorder.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OURS) || name.equals(RECORDER)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        @Nullable Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (var in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        byte[] hooked =
            name.equals(BUFFER)
                ? hookBuffer(bytes)
                : ALLOCATORS.contains(name) ? hookAllocator(bytes) : bytes;
        return defineClass(name, hooked, 0, hooked.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static byte[] hookAllocator(byte[] bytes) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.transformingMethodBodies(
            method ->
                method.methodName().equalsString("allocate")
                    && method.methodTypeSymbol().parameterCount() == 2,
            (builder, element) -> {
              if (element instanceof ReturnInstruction) {
                builder.dup().dup().invokevirtual(BUFFER_TYPE, "capacity", INT);
                builder.invokestatic(SELF, "allocated", HOOK);
              }
              builder.with(element);
            }));
  }

  private static byte[] hookBuffer(byte[] bytes) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        (builder, element) -> {
          if (element instanceof MethodModel method
              && method.methodName().equalsString("release")) {
            builder.transformMethod(method, MethodTransform.transformingCode(new ReleaseHook()));
          } else if (element instanceof MethodModel method && returnsBuffer(method)) {
            builder.transformMethod(
                method, MethodTransform.transformingCode(TraceRecorder::hookReturn));
          } else {
            builder.with(element);
          }
        });
  }

  private static boolean returnsBuffer(MethodModel method) {
    return method.flags().has(AccessFlag.PUBLIC)
        && !method.flags().has(AccessFlag.STATIC)
        && method.methodTypeSymbol().returnType().equals(BUFFER_TYPE);
  }

  private static void hookReturn(CodeBuilder builder, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      int result = builder.allocateLocal(TypeKind.REFERENCE);
      builder
          .astore(result)
          .aload(0)
          .aload(result)
          .aload(result)
          .invokevirtual(BUFFER_TYPE, "capacity", INT)
          .invokestatic(SELF, "returned", TWO_HOOK)
          .aload(result);
    }
    builder.with(element);
  }

  /// Tells of a release before it happens, and whether the buffer is live.
  private static final class ReleaseHook implements CodeTransform {

    @Override
    public void atStart(CodeBuilder builder) {
      builder
          .aload(0)
          .aload(0)
          .invokevirtual(BUFFER_TYPE, "isLive", MethodTypeDesc.of(ConstantDescs.CD_boolean))
          .invokestatic(SELF, "released", HOOK);
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      builder.with(element);
    }
  }
}
