package dev.quickwater.microbench.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.text.AsciiString;
import io.netty.util.internal.PlatformDependent;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to hash, compare and search names?
///
/// After the benchmark of the same name in Netty's own suite, in whose lengths they come; here one
/// of many texts in each call. Hashes are not taken from the cache. What is compared is equal, so
/// that all of it has to be looked at; a character is found in the last eight, a text at the end or
/// nowhere.
public class AsciiStringBenchmark extends PairedBenchmark {

  private static final int TEXTS = 256;
  private static final int NEEDLE = 4;
  private static final char MARK = '!';

  @Param({"3", "5", "7", "8", "10", "20", "50", "100", "1000"})
  public int size;

  private final byte[][] bytes = new byte[TEXTS][];
  private final String[] strings = new String[TEXTS];
  private final AsciiString[] ours = new AsciiString[TEXTS];
  private final AsciiString[] oursAgain = new AsciiString[TEXTS];
  private final AsciiString[] oursUpper = new AsciiString[TEXTS];
  private final AsciiString[] ourNeedles = new AsciiString[TEXTS];
  private final io.netty.util.AsciiString[] theirs = new io.netty.util.AsciiString[TEXTS];
  private final io.netty.util.AsciiString[] theirsAgain = new io.netty.util.AsciiString[TEXTS];
  private final io.netty.util.AsciiString[] theirsUpper = new io.netty.util.AsciiString[TEXTS];
  private final io.netty.util.AsciiString[] theirNeedles = new io.netty.util.AsciiString[TEXTS];
  private int next;

  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < TEXTS; i++) {
      byte[] text = new byte[size];
      for (int j = 0; j < size; j++) {
        text[j] = (byte) random.nextInt('a', 'z' + 1);
      }
      text[random.nextInt(Math.max(0, size - 8), size)] = MARK;
      String string = new String(text, US_ASCII);
      // Every other one is there, at the end.
      String needle = string.substring(Math.max(0, size - NEEDLE));
      needle = (i & 1) == 0 ? needle : needle.substring(0, needle.length() - 1) + '?';
      bytes[i] = text;
      strings[i] = string;
      ours[i] = AsciiString.of(string);
      oursAgain[i] = AsciiString.of(string);
      oursUpper[i] = ours[i].toUpperCase();
      ourNeedles[i] = AsciiString.of(needle);
      theirs[i] = new io.netty.util.AsciiString(string);
      theirsAgain[i] = new io.netty.util.AsciiString(string);
      theirsUpper[i] = theirs[i].toUpperCase();
      theirNeedles[i] = new io.netty.util.AsciiString(needle);
    }
  }

  private int next() {
    next = next + 1 & TEXTS - 1;
    return next;
  }

  @Benchmark
  public int quickwaterHashBytes() {
    return AsciiString.hashIgnoreCase(bytes[next()], 0, size);
  }

  @Benchmark
  public int nettyHashBytes() {
    return PlatformDependent.hashCodeAscii(bytes[next()], 0, size);
  }

  @Benchmark
  public int quickwaterHashString() {
    return AsciiString.hashIgnoreCase(strings[next()]);
  }

  @Benchmark
  public int nettyHashString() {
    return PlatformDependent.hashCodeAscii(strings[next()]);
  }

  @Benchmark
  public boolean quickwaterEquals() {
    int i = next();
    return ours[i].equals(oursAgain[i]);
  }

  @Benchmark
  public boolean nettyEquals() {
    int i = next();
    return theirs[i].equals(theirsAgain[i]);
  }

  @Benchmark
  public boolean quickwaterEqualsIgnoreCase() {
    int i = next();
    return ours[i].equalsIgnoreCase(oursUpper[i]);
  }

  @Benchmark
  public boolean nettyEqualsIgnoreCase() {
    int i = next();
    return theirs[i].contentEqualsIgnoreCase(theirsUpper[i]);
  }

  @Benchmark
  public boolean quickwaterEqualsIgnoreCaseString() {
    int i = next();
    return oursUpper[i].equalsIgnoreCase(strings[i]);
  }

  @Benchmark
  public boolean nettyEqualsIgnoreCaseString() {
    int i = next();
    return theirsUpper[i].contentEqualsIgnoreCase(strings[i]);
  }

  @Benchmark
  public int quickwaterIndexOf() {
    return ours[next()].indexOf(MARK);
  }

  @Benchmark
  public int nettyIndexOf() {
    return theirs[next()].indexOf(MARK, 0);
  }

  @Benchmark
  public boolean quickwaterContains() {
    int i = next();
    return ours[i].contains(ourNeedles[i]);
  }

  @Benchmark
  public boolean nettyContains() {
    int i = next();
    return theirs[i].contains(theirNeedles[i]);
  }

  @Benchmark
  public boolean quickwaterContainsIgnoreCase() {
    int i = next();
    return oursUpper[i].containsIgnoreCase(ourNeedles[i]);
  }

  @Benchmark
  public boolean nettyContainsIgnoreCase() {
    int i = next();
    return io.netty.util.AsciiString.containsIgnoreCase(theirsUpper[i], theirNeedles[i]);
  }

  @Benchmark
  public Object quickwaterOfString() {
    return AsciiString.of(strings[next()]);
  }

  @Benchmark
  public Object nettyOfString() {
    return new io.netty.util.AsciiString(strings[next()]);
  }

  @Benchmark
  public String quickwaterToString() {
    return ours[next()].toString();
  }

  @Benchmark
  public String nettyToString() {
    return theirs[next()].toString();
  }
}
