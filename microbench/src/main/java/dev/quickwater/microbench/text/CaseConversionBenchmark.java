package dev.quickwater.microbench.text;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.text.AsciiString;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to change the case of a name, and to see that nothing has to change?
///
/// After the benchmark of AsciiString's case in Netty's own suite: all ASCII characters, the first
/// upper-case letter among the last eight.
public class CaseConversionBenchmark extends PairedBenchmark {

  private static final int TEXTS = 1 << 11;

  @Param({"7", "16", "23", "32"})
  public int size;

  private final AsciiString[] ours = new AsciiString[TEXTS];
  private final AsciiString[] oursLower = new AsciiString[TEXTS];
  private final io.netty.util.AsciiString[] theirs = new io.netty.util.AsciiString[TEXTS];
  private final io.netty.util.AsciiString[] theirsLower = new io.netty.util.AsciiString[TEXTS];
  private int next;

  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(0);
    for (int i = 0; i < TEXTS; i++) {
      int first = random.nextInt(Math.max(0, size - 8), size);
      byte[] text = new byte[size];
      for (int j = 0; j < size; j++) {
        int c = random.nextInt(0x80);
        text[j] = (byte) (j < first && c >= 'A' && c <= 'Z' ? c | 0x20 : c);
      }
      text[first] = 'N';
      ours[i] = AsciiString.copyOf(text);
      oursLower[i] = ours[i].toLowerCase();
      theirs[i] = new io.netty.util.AsciiString(text);
      theirsLower[i] = theirs[i].toLowerCase();
    }
  }

  private int next() {
    next = next + 1 & TEXTS - 1;
    return next;
  }

  @Benchmark
  public Object quickwaterLower() {
    return ours[next()].toLowerCase();
  }

  @Benchmark
  public Object nettyLower() {
    return theirs[next()].toLowerCase();
  }

  @Benchmark
  public Object quickwaterUpper() {
    return ours[next()].toUpperCase();
  }

  @Benchmark
  public Object nettyUpper() {
    return theirs[next()].toUpperCase();
  }

  @Benchmark
  public Object quickwaterLowerOfLower() {
    return oursLower[next()].toLowerCase();
  }

  @Benchmark
  public Object nettyLowerOfLower() {
    return theirsLower[next()].toLowerCase();
  }
}
