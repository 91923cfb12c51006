package dev.quickwater.microbench.buffer;

/// [ByteBufAccessBenchmark] on memory of the Java heap: is an array as fast as native memory?
public class HeapByteBufBenchmark extends ByteBufAccessBenchmark {

  public HeapByteBufBenchmark() {
    super(new byte[AccessLoops.SIZE]);
  }
}
