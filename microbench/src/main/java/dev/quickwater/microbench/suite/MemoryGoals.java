package dev.quickwater.microbench.suite;

import dev.quickwater.microbench.jmh.JvmTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the buffers and allocators are to reach beside Netty's.
final class MemoryGoals {

  /// Of the geometric mean of all rows.
  static final double MEAN = 1.5;

  private static final List<String> LEVELS = List.of("disabled", "simple", "advanced", "paranoid");

  /// At the levels below, neither side records anything but where a buffer was made.
  private static final List<String> RECORDING = List.of("advanced", "paranoid");

  private final Extent extent;
  private final List<Goal> goals = new ArrayList<>();

  private MemoryGoals(Extent extent) {
    this.extent = extent;
  }

  /// All goals, with fewer values of parameters and fewer variants of Netty for smaller extents.
  static List<Goal> all(Extent extent) {
    MemoryGoals made = new MemoryGoals(extent);
    made.access();
    made.allocation();
    made.otherThreads();
    made.references();
    made.leaks();
    made.content();
    return List.copyOf(made.goals);
  }

  private void add(String topic, String pairs, Against against, double target) {
    goals.add(new Goal(topic, pairs, against, target));
  }

  private void add(
      String topic, String pairs, Map<String, String> params, Against against, double target) {
    goals.add(new Goal(topic, pairs, against, target).with(params));
  }

  private void access() {
    Against any = extent.variants();
    String single = extent.quick() ? "(ReadBytes|WriteBytes|GetLongs|RandomLongs)" : ".*";
    String seen =
        extent.quick() ? "(ReadBytes|WriteLongs)" : "((Read|Write)(Bytes|Longs)|RandomLongs)";
    String access = "(Heap)?ByteBuf(Access)?Benchmark\\.";
    add("access", access + single, Map.of("polluted", "false"), any, 1);
    add(
        "access, four kinds seen",
        "ByteBufAccessBenchmark\\." + seen,
        Map.of("polluted", "true"),
        any,
        5);
    String slice = "SlicedByteBufBenchmark\\.";
    add("access", slice + "Read", Map.of("polluted", "false"), any, 1);
    add("access, four kinds seen", slice + "Read", Map.of("polluted", "true"), any, 5);
    add("slice of slice", slice + "Make", Map.of("polluted", "false"), Against.FASTEST, 1);
  }

  private void allocation() {
    add("allocate, shipped", "AllocateReleaseBenchmark\\.Native", Against.SHIPPED, 1.8);
    add("allocate, fastest", "AllocateReleaseBenchmark\\.Native", Against.FASTEST, 1);
    for (String size : extent.quick() ? List.of("256") : List.of("256", "4096")) {
      add(
          "allocate, shipped",
          "AllocateReleaseBenchmark\\.Heap",
          Map.of("size", size),
          Against.SHIPPED.inArrays(),
          1.8);
    }
    add("allocate, random sizes", "AllocatorBenchmark\\.Random", Against.EITHER_SHIPPED, 1.4);
    add("allocate, aligned", "AlignedAllocationBenchmark\\.Use", Against.FASTEST, 1);
    add("allocate and grow", "AllocatorBenchmark\\.Growing", Against.EITHER_SHIPPED, 1);
    for (int threads : new int[] {2, 8}) {
      goals.add(
          new Goal(
                  "allocate, random sizes",
                  "AllocatorBenchmark\\.Random",
                  Against.EITHER_SHIPPED,
                  1.4)
              .onThreads(threads));
    }
    add("large blocks", "UninitializedAllocationBenchmark\\.Native", Against.EITHER_SHIPPED, 1);
    add(
        "large blocks",
        "UninitializedAllocationBenchmark\\.Heap",
        Against.EITHER_SHIPPED.inArrays(),
        1);
  }

  private void otherThreads() {
    add("hand over", "HandOverBenchmark\\..*", Against.EITHER_SHIPPED, 1.4);
    Against shipped = Against.EITHER_SHIPPED;
    add(
        "plain threads",
        "SharedAllocatorBenchmark\\..*",
        shipped.on(JvmTerms::onPlatformThreads),
        2);
    add(
        "virtual threads",
        "SharedAllocatorBenchmark\\..*",
        shipped.on(JvmTerms::onVirtualThreads),
        2);
  }

  private void references() {
    List<String> delays =
        extent.quick() ? List.of("1", "100", "10000") : List.of("1", "10", "100", "1000", "10000");
    for (String delay : delays) {
      add("hold", "ReferenceCountBenchmark\\..*", Map.of("delay", delay), Against.FASTEST, 1);
    }
  }

  private void leaks() {
    for (String level : LEVELS) {
      add("leaks, " + level, "LeakTrackerSamplingBenchmark\\..*", Against.atLeakLevel(level), 1);
    }
    for (String level : RECORDING) {
      String pairs = "LeakTrackerRecordBenchmark\\..*";
      for (String records : extent.quick() ? List.of("8") : List.of("8", "16")) {
        Map<String, String> params = Map.of("records", records);
        add("leaks, " + level, pairs, params, Against.atLeakLevel(level), 1);
      }
    }
  }

  private void content() {
    Against any = extent.variants();
    add("search", "IndexOfBenchmark\\..*", any, 1.5);
    add("search", "Search(RealData)?Benchmark\\..*", any, 1.5);
    add("text", "(Utf8Encoding|DecodeString)Benchmark\\..*", any, 1.2);
    add("text", "(DecodeHex|Base64)Benchmark\\..*", any, 1);
    add("composite", "CompositeSequentialBenchmark\\..*", any, 2);
    add("composite", "CompositeRandomAccessBenchmark\\..*", any, 1);
  }
}
