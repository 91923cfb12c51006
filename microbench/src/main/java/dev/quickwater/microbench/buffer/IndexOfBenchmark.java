package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.buffer.search.LineIterator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// How long does it take to find the end of one line, and of each of many lines?
///
/// The lines of a text of 64 KiB are found one after another. Their lengths are random and chosen
/// in advance, from 0 to below `bound`, so that the branch predictor cannot predict the ends of the
/// loops.
public class IndexOfBenchmark extends PairedBenchmark {

  private static final int SIZE = 64 << 10;

  @Param({"16", "64", "512"})
  public int bound;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final io.netty.buffer.ByteBuf theirs = ByteBufAllocator.DEFAULT.directBuffer(SIZE);
  private int position;

  public IndexOfBenchmark() {
    allocator.attach();
    ours = allocator.allocate(SIZE);
  }

  @Setup
  public void write() {
    byte[] text = new byte[SIZE];
    Arrays.fill(text, (byte) 'a');
    int at = 0;
    for (int length : Draws.below(SIZE, bound)) {
      at += length;
      if (at >= SIZE) {
        break;
      }
      text[at++] = '\n';
    }
    text[SIZE - 1] = '\n';
    ours.writeBytes(text);
    theirs.writeBytes(text);
  }

  @TearDown
  public void release() {
    ours.release();
    theirs.release();
    allocator.detach();
  }

  private int advance(int found) {
    position = found + 1 & SIZE - 1;
    return found;
  }

  @Benchmark
  public int quickwaterLine() {
    return advance(ours.indexOf(position, SIZE, (byte) '\n'));
  }

  @Benchmark
  public int nettyLine() {
    return advance(theirs.indexOf(position, SIZE, (byte) '\n'));
  }

  /// All lines of the text.
  @Benchmark
  public long quickwaterAllLines() {
    long sum = 0;
    LineIterator lines = new LineIterator(ours, 0, SIZE);
    for (int end = lines.next(); end >= 0; end = lines.next()) {
      sum += end - lines.start();
    }
    return sum;
  }

  /// Netty has no iterator; this is its fastest search.
  @Benchmark
  public long nettyAllLines() {
    long sum = 0;
    int start = 0;
    for (int end; (end = theirs.indexOf(start, SIZE, (byte) '\n')) >= 0; start = end + 1) {
      sum += end - start;
    }
    return sum;
  }
}
