package dev.quickwater.microbench.buffer;

import dev.quickwater.common.LeakTracker;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/// What does it cost to follow one object from its making over `records` touches to its release?
///
/// For the levels at which touches are recorded; the suite sets the level. `Hinted` gives each
/// touch a word for people.
public class LeakTrackerRecordBenchmark extends PairedBenchmark {

  private static final String HINT = "in the handler";

  @Param({"8", "16"})
  public int records;

  /// Draws every object, which the level alone would not.
  private final ResourceLeakDetector<Object> detector = new ResourceLeakDetector<>(Object.class, 1);

  @Benchmark
  public Object quickwaterPlain() {
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, "an object");
    for (int i = 0; i < records; i++) {
      leak.record(null);
    }
    leak.released();
    return handle;
  }

  @Benchmark
  public Object nettyPlain() {
    Object handle = new Object();
    ResourceLeakTracker<Object> leak = Objects.requireNonNull(detector.track(handle));
    for (int i = 0; i < records; i++) {
      leak.record();
    }
    leak.close(handle);
    return handle;
  }

  @Benchmark
  public Object quickwaterHinted() {
    Object handle = new Object();
    LeakTracker.Leak leak = LeakTracker.track(handle, "an object");
    for (int i = 0; i < records; i++) {
      leak.record(HINT);
    }
    leak.released();
    return handle;
  }

  @Benchmark
  public Object nettyHinted() {
    Object handle = new Object();
    ResourceLeakTracker<Object> leak = Objects.requireNonNull(detector.track(handle));
    for (int i = 0; i < records; i++) {
      leak.record(HINT);
    }
    leak.close(handle);
    return handle;
  }
}
