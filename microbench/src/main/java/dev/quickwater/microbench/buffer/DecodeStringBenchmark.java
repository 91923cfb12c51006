package dev.quickwater.microbench.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to make a `String` of UTF-8 bytes in native memory?
public class DecodeStringBenchmark extends PairedBenchmark {

  private static final int TEXTS = 256;

  @Param public Texts text = Texts.ASCII;

  @Param({"16", "256", "2048"})
  public int length;

  private final ByteBuf[] ours = new ByteBuf[TEXTS];
  private final io.netty.buffer.ByteBuf[] theirs = new io.netty.buffer.ByteBuf[TEXTS];
  private final LoopAllocator allocator = new LoopAllocator();
  private int next;

  public DecodeStringBenchmark() {
    allocator.attach();
  }

  @Setup
  public void write() {
    String[] texts = text.draw(TEXTS, length);
    for (int i = 0; i < TEXTS; i++) {
      byte[] bytes = texts[i].getBytes(UTF_8);
      ours[i] = allocator.allocate(bytes.length).writeBytes(bytes);
      theirs[i] = ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }
  }

  @TearDown
  public void release() {
    for (int i = 0; i < TEXTS; i++) {
      ours[i].release();
      theirs[i].release();
    }
    allocator.detach();
  }

  private int next() {
    next = next + 1 & TEXTS - 1;
    return next;
  }

  @Benchmark
  public String quickwaterDecode() {
    return ours[next()].toString(UTF_8);
  }

  @Benchmark
  public String nettyDecode() {
    return theirs[next()].toString(UTF_8);
  }
}
