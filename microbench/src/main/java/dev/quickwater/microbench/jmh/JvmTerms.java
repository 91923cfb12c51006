package dev.quickwater.microbench.jmh;

import java.util.ArrayList;
import java.util.List;

/// The sides of a comparison and the JVM flags of each.
///
/// Shared by all: native access is granted, threads come from [NettyThreads], and the JVM does not
/// warn of `Unsafe`, which JMH itself uses. Netty takes that last flag as leave to use `Unsafe`, so
/// that for Netty as shipped the default it has on this JDK is spelled out.
enum JvmTerms {
  QUICKWATER("quickwater", PairedBenchmark.OURS, "-Dio.netty.noUnsafe=true"),
  NETTY("netty", PairedBenchmark.THEIRS, "-Dio.netty.noUnsafe=true"),
  NETTY_UNSAFE("netty-unsafe", PairedBenchmark.THEIRS, "-Dio.netty.noUnsafe=false");

  private static final List<String> SHARED =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Djmh.executor=CUSTOM",
          "-Djmh.executor.class=" + NettyThreads.class.getName());

  final String label;
  final String prefix;
  private final String unsafe;

  JvmTerms(String label, String prefix, String unsafe) {
    this.label = label;
    this.prefix = prefix;
    this.unsafe = unsafe;
  }

  String[] flags() {
    List<String> flags = new ArrayList<>(SHARED);
    flags.add(unsafe);
    return flags.toArray(String[]::new);
  }
}
