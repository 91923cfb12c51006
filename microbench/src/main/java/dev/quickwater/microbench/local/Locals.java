package dev.quickwater.microbench.local;

import dev.quickwater.common.LoopLocal;
import io.netty.util.concurrent.FastThreadLocal;

/// As many thread-locals of each kind, each with a separate number; after Netty's own suite.
final class Locals {

  private static final int COUNT = 128;

  private Locals() {}

  @SuppressWarnings({"unchecked", "rawtypes"})
  static LoopLocal<Integer>[] ours() {
    LoopLocal<Integer>[] locals = new LoopLocal[COUNT];
    for (int i = 0; i < COUNT; i++) {
      int number = number(i);
      locals[i] = LoopLocal.withInitial("number", () -> number);
    }
    return locals;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static FastThreadLocal<Integer>[] netty() {
    FastThreadLocal<Integer>[] locals = new FastThreadLocal[COUNT];
    for (int i = 0; i < COUNT; i++) {
      int number = number(i);
      locals[i] =
          new FastThreadLocal<>() {
            @Override
            protected Integer initialValue() {
              return number;
            }
          };
    }
    return locals;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static ThreadLocal<Integer>[] jdk() {
    ThreadLocal<Integer>[] locals = new ThreadLocal[COUNT];
    for (int i = 0; i < COUNT; i++) {
      int number = number(i);
      locals[i] = ThreadLocal.withInitial(() -> number);
    }
    return locals;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static ScopedValue<Integer>[] scoped() {
    ScopedValue<Integer>[] locals = new ScopedValue[COUNT];
    for (int i = 0; i < COUNT; i++) {
      locals[i] = ScopedValue.newInstance();
    }
    return locals;
  }

  /// Beyond the numbers that boxing shares.
  static int number(int i) {
    return 1000 + i * 7919;
  }
}
