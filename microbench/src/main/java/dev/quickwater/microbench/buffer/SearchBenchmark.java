package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.buffer.search.ByteSearch;
import dev.quickwater.buffer.search.Needle;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.search.AbstractMultiSearchProcessorFactory;
import io.netty.buffer.search.AbstractSearchProcessorFactory;
import io.netty.buffer.search.SearchProcessorFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// How fast is a needle of several bytes found in 4 KiB?
///
/// - `RANDOM` is bytes of all values, of which hardly any begins a needle.
/// - `WORST` is the needle's beginning over and over, for which a search that starts again after
///   each mismatch would take the product of the lengths.
///
/// With `present` the needle is at the very end, without it the whole input is searched in vain.
public class SearchBenchmark extends PairedBenchmark {

  private static final int SIZE = 4096;

  /// What is searched.
  public enum Input {
    RANDOM,
    WORST
  }

  @Param public Input input = Input.RANDOM;

  @Param({"false", "true"})
  public boolean present;

  private final byte[] needle = "aaaaaaaaaaaaaaab".getBytes(StandardCharsets.US_ASCII);
  private final byte[] other = "aaaaaaac".getBytes(StandardCharsets.US_ASCII);

  private final Needle ourKmp = Needle.knuthMorrisPratt(needle);
  private final Needle ourShiftOr = Needle.shiftOr(needle);
  private final Needle ourMany = Needle.ahoCorasick(needle, other);
  private final SearchProcessorFactory theirKmp =
      AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(needle);
  private final SearchProcessorFactory theirShiftOr =
      AbstractSearchProcessorFactory.newBitapSearchProcessorFactory(needle);
  private final SearchProcessorFactory theirMany =
      AbstractMultiSearchProcessorFactory.newAhoCorasicSearchProcessorFactory(needle, other);

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf ours;
  private final io.netty.buffer.ByteBuf theirs = ByteBufAllocator.DEFAULT.directBuffer(SIZE);

  public SearchBenchmark() {
    allocator.attach();
    ours = allocator.allocate(SIZE);
  }

  @Setup
  public void write() {
    byte[] bytes = new byte[SIZE];
    switch (input) {
      case RANDOM -> {
        SplittableRandom random = new SplittableRandom(42);
        random.nextBytes(bytes);
      }
      case WORST -> Arrays.fill(bytes, (byte) 'a');
    }
    if (present) {
      System.arraycopy(needle, 0, bytes, SIZE - needle.length, needle.length);
    }
    ours.writeBytes(bytes);
    theirs.writeBytes(bytes);
    if ((quickwaterKmp() >= 0) != present || (nettyKmp() >= 0) != present) {
      throw new IllegalStateException("the needle is not where it should be");
    }
  }

  @TearDown
  public void release() {
    ours.release();
    theirs.release();
    allocator.detach();
  }

  private int find(Needle compiled) {
    ByteSearch search = compiled.search();
    return search.find(ours, 0, SIZE);
  }

  private int find(SearchProcessorFactory compiled) {
    return theirs.forEachByte(0, SIZE, compiled.newSearchProcessor());
  }

  @Benchmark
  public int quickwaterKmp() {
    return find(ourKmp);
  }

  @Benchmark
  public int nettyKmp() {
    return find(theirKmp);
  }

  @Benchmark
  public int quickwaterShiftOr() {
    return find(ourShiftOr);
  }

  @Benchmark
  public int nettyShiftOr() {
    return find(theirShiftOr);
  }

  @Benchmark
  public int quickwaterAhoCorasick() {
    return find(ourMany);
  }

  @Benchmark
  public int nettyAhoCorasick() {
    return find(theirMany);
  }
}
