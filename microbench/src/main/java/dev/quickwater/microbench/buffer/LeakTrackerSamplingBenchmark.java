package dev.quickwater.microbench.buffer;

import dev.quickwater.common.LeakTracker;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;
import org.openjdk.jmh.annotations.Benchmark;

/// What does leak tracking add to the life of an object on average, over tracked and untracked
/// objects?
///
/// The suite sets the level. Both libraries track at the rate of Quickwater for this level: one
/// object in 1,024 at simple, one in 128 at advanced, every object at paranoid. Netty by default
/// tracks one in 128 at simple, which is more work for more reports; with that, the benchmark would
/// compare rates.
///
/// `Life` numbers its objects as an allocator does. `View` uses the counters of the tracker, as do
/// handles that any thread creates. Netty has one implementation for both.
public class LeakTrackerSamplingBenchmark extends PairedBenchmark {

  private final ResourceLeakDetector<Object> detector =
      new ResourceLeakDetector<>(Object.class, Math.max(1, LeakTracker.INTERVAL));
  private int made;

  @Benchmark
  public Object quickwaterLife() {
    Object handle = new Object();
    if (LeakTracker.samples(made++)) {
      LeakTracker.track(handle, "an object").released();
    }
    return handle;
  }

  @Benchmark
  public Object nettyLife() {
    Object handle = new Object();
    ResourceLeakTracker<Object> leak = detector.track(handle);
    if (leak != null) {
      leak.close(handle);
    }
    return handle;
  }

  @Benchmark
  public Object quickwaterView() {
    Object handle = new Object();
    if (LeakTracker.samples()) {
      LeakTracker.track(handle, "an object").released();
    }
    return handle;
  }

  @Benchmark
  public Object nettyView() {
    return nettyLife();
  }
}
