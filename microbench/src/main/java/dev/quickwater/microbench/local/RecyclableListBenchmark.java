package dev.quickwater.microbench.local;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.internal.RecyclableArrayList;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/// From which size on does it help to recycle a list?
///
/// A list with room for so many elements is taken and recycled on the same thread, after Netty's
/// own suite. The JDK's side creates a list each time, whose room must be cleared: what recycling
/// has to beat. Its figure holds for a young generation in which all else dies, too.
public class RecyclableListBenchmark extends PairedBenchmark {

  @Param({"0", "4", "16", "64", "256", "1024", "4096", "16384", "65536"})
  public int size;

  @Benchmark
  public boolean quickwaterSameThread() {
    return RecycledList.take(size).recycle();
  }

  @Benchmark
  public boolean nettySameThread() {
    return RecyclableArrayList.newInstance(size).recycle();
  }

  @Benchmark
  public List<Object> jdkSameThread() {
    return new ArrayList<>(size);
  }
}
