package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.Hex;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufUtil;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to turn hexadecimal text into a new array?
///
/// Another random text in each call, and neither side may be inlined into the loop, so that nothing
/// is known of the text. Netty's form makes an array, so ours does.
public class DecodeHexBenchmark extends PairedBenchmark {

  private static final int TEXTS = 256;

  /// Bytes that a text stands for.
  @Param({"16", "256"})
  public int length;

  private final String[] texts = new String[TEXTS];
  private int next;

  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(42);
    byte[] bytes = new byte[length];
    for (int i = 0; i < TEXTS; i++) {
      random.nextBytes(bytes);
      texts[i] = HexFormat.of().formatHex(bytes);
    }
  }

  private String next() {
    next = next + 1 & TEXTS - 1;
    return texts[next];
  }

  @Benchmark
  public byte[] quickwaterDecode() {
    return ourDecode(next());
  }

  @Benchmark
  public byte[] nettyDecode() {
    return theirDecode(next());
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static byte[] ourDecode(String text) {
    byte[] bytes = new byte[text.length() / 2];
    Hex.decode(text, ByteBuf.wrap(bytes).clear());
    return bytes;
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static byte[] theirDecode(String text) {
    return ByteBufUtil.decodeHexDump(text);
  }
}
