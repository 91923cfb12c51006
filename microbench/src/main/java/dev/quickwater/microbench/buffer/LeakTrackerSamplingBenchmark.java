package dev.quickwater.microbench.buffer;

import dev.quickwater.common.LeakTracker;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;
import org.openjdk.jmh.annotations.Benchmark;

/// What does leak tracking add to the life of an object on average, drawn ones and others?
///
/// The suite sets the level. Each side draws as often as it does as shipped: Netty one object in
/// 128, ours one in 1,024 at the simple level, one in 128 at the advanced, and both every one at
/// the paranoid.
public class LeakTrackerSamplingBenchmark extends PairedBenchmark {

  /// What Netty's own factory of detectors takes.
  private static final int INTERVAL = 128;

  private final ResourceLeakDetector<Object> detector =
      new ResourceLeakDetector<>(Object.class, INTERVAL);
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
}
