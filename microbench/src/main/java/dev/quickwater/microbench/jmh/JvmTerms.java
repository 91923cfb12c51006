package dev.quickwater.microbench.jmh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The sides of a comparison: how the methods of each begin, and its JVM flags.
///
/// Shared by all: native access is granted, threads come from [NettyThreads], and the JVM does not
/// warn of `Unsafe`, which JMH itself uses. Netty takes that last flag as leave to use `Unsafe`, so
/// that for Netty as shipped the default it has on this JDK is spelled out.
///
/// A pair has the peers that it has methods for. No prefix begins with another one.
enum JvmTerms {
  QUICKWATER("quickwater", "quickwater", false),
  NETTY("netty", "netty", false),
  NETTY_UNSAFE("netty-unsafe", "netty", true),
  /// The allocator that was Netty's default before 4.2, where the question is an allocator.
  POOLED("netty-pooled", "pooled", false),
  POOLED_UNSAFE("netty-pooled-unsafe", "pooled", true),
  /// JCTools' queue of linked arrays, which uses `Unsafe` in any case.
  ARRAYS("jctools-arrays", "arrays", true),
  /// JCTools' queue of linked nodes, likewise.
  NODES("jctools-nodes", "nodes", true),
  /// The JDK without any check of ours: the limit, where the question is what a check costs.
  UNCHECKED("unchecked", "unchecked", false);

  private static final List<String> SHARED =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          // As on Netty's event loops: elsewhere its default allocator keeps no caches.
          "-Dio.netty.allocator.useCachedMagazinesForNonEventLoopThreads=true",
          "-Djmh.executor=CUSTOM",
          "-Djmh.executor.class=" + NettyThreads.class.getName());

  final String label;
  final String prefix;
  private final boolean unsafe;

  JvmTerms(String label, String prefix, boolean unsafe) {
    this.label = label;
    this.prefix = prefix;
    this.unsafe = unsafe;
  }

  /// Whose method it is.
  ///
  /// @throws IllegalArgumentException if the name begins like nobody's
  static JvmTerms ofMethod(String method) {
    return Arrays.stream(values())
        .filter(terms -> method.startsWith(terms.prefix))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(method + " begins with no side's prefix"));
  }

  String[] flags() {
    List<String> flags = new ArrayList<>(SHARED);
    flags.add("-Dio.netty.noUnsafe=" + !unsafe);
    return flags.toArray(String[]::new);
  }
}
