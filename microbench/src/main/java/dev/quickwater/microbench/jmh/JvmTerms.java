package dev.quickwater.microbench.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/// One side of a comparison: how its methods begin, and its JVM flags.
///
/// Shared by all: native access is granted, and the JVM does not warn of `Unsafe`, which JMH itself
/// uses. Our side runs on [LoopThreads], Netty's and its buffers' on [NettyThreads], the other
/// peers on threads of the JDK. Netty takes that last flag as leave to use `Unsafe`, so that for
/// Netty as shipped the default it has on this JDK is spelled out. Further flags come later on the
/// command line and win.
///
/// A pair has the peers that it has methods for. No prefix begins with another one.
///
/// @param label for people
/// @param prefix what the methods begin with
/// @param flags of the JVM
public record JvmTerms(String label, String prefix, List<String> flags) {

  private static final String NO_UNSAFE = "-Dio.netty.noUnsafe=";
  private static final String LEAK_LEVEL = "-Ddev.quickwater.leakLevel=";
  private static final String NETTY_LEAK_LEVEL = "-Dio.netty.leakDetection.level=";

  private static final List<String> SHARED =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          // A heap that grows while it is measured costs page faults: up to 27 ns a small object.
          "-Xms1g",
          "-Xmx1g",
          "-XX:+AlwaysPreTouch",
          // As on Netty's event loops: elsewhere its default allocator keeps no caches.
          "-Dio.netty.allocator.useCachedMagazinesForNonEventLoopThreads=true",
          NO_UNSAFE + "true");

  public static final JvmTerms QUICKWATER =
      new JvmTerms("quickwater", "quickwater", SHARED).on(LoopThreads.class);
  public static final JvmTerms NETTY =
      new JvmTerms("netty", "netty", SHARED).on(NettyThreads.class);
  public static final JvmTerms NETTY_UNSAFE = NETTY.with("-unsafe", NO_UNSAFE + "false");

  /// The allocator that was Netty's default before 4.2; it decides which class the buffers have.
  public static final JvmTerms POOLED = NETTY.with("-pooled", "-Dio.netty.allocator.type=pooled");

  public static final JvmTerms POOLED_UNSAFE = POOLED.with("-unsafe", NO_UNSAFE + "false");

  /// JCTools' queue of linked arrays, which uses `Unsafe` in any case.
  static final JvmTerms ARRAYS = new JvmTerms("jctools-arrays", "arrays", SHARED);

  /// JCTools' queue of linked nodes, likewise.
  static final JvmTerms NODES = new JvmTerms("jctools-nodes", "nodes", SHARED);

  /// The JDK without any check of ours: the limit, where the question is what a check costs.
  static final JvmTerms UNCHECKED = new JvmTerms("unchecked", "unchecked", SHARED);

  /// Our handler alone, to measure what surrounds it.
  static final JvmTerms BARE = new JvmTerms("bare-handler", "bare", SHARED).on(LoopThreads.class);

  /// The JDK: its thread-locals, or creating an object where ours reuses one.
  static final JvmTerms JDK = new JvmTerms("jdk", "jdk", SHARED);

  /// The JDK's scoped values.
  static final JvmTerms SCOPED = new JvmTerms("scoped-value", "scoped", SHARED);

  /// Agrona's maps.
  static final JvmTerms AGRONA = new JvmTerms("agrona", "agrona", SHARED);

  /// The peers of a pair by default.
  static final List<JvmTerms> PEERS =
      List.of(
          NETTY,
          NETTY_UNSAFE,
          POOLED,
          POOLED_UNSAFE,
          ARRAYS,
          NODES,
          UNCHECKED,
          BARE,
          JDK,
          SCOPED,
          AGRONA);

  /// The side that a method belongs to, on its first terms.
  ///
  /// @throws IllegalArgumentException if the name has the prefix of no side
  static JvmTerms ofMethod(String method) {
    return all()
        .filter(terms -> method.startsWith(terms.prefix))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(method + " begins with no side's prefix"));
  }

  static Stream<JvmTerms> all() {
    return Stream.concat(Stream.of(QUICKWATER), PEERS.stream());
  }

  /// The same side with further flags; `suffix` is appended to its label.
  public JvmTerms with(String suffix, String... further) {
    List<String> more = new ArrayList<>(flags);
    more.addAll(List.of(further));
    return new JvmTerms(label + suffix, prefix, List.copyOf(more));
  }

  /// These terms without leak tracking.
  public JvmTerms untracked() {
    return leakLevel("-untracked", "disabled");
  }

  /// With leak tracking at one of the four levels, which are called the same on both sides.
  public JvmTerms leakLevel(String suffix, String level) {
    return with(suffix, LEAK_LEVEL + level, NETTY_LEAK_LEVEL + level);
  }

  /// On threads of the JDK instead of a side's own, where Netty decides as shipped what it caches.
  public JvmTerms onPlatformThreads() {
    return on("PLATFORM");
  }

  /// On virtual threads.
  public JvmTerms onVirtualThreads() {
    return on("VIRTUAL");
  }

  private JvmTerms on(Class<? extends Executor> executor) {
    return with("", "-Djmh.executor=CUSTOM", "-Djmh.executor.class=" + executor.getName());
  }

  private JvmTerms on(String executor) {
    return with(
        "",
        "-Djmh.executor=" + executor,
        "-Dio.netty.allocator.useCachedMagazinesForNonEventLoopThreads=false");
  }

  /// Our side as it is where native access is not granted: buffers are parts of arrays.
  public JvmTerms withoutNativeAccess() {
    return with("-arrays", "-Ddev.quickwater.nativeAccess=off");
  }
}
