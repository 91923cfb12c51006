package dev.quickwater.microbench.buffer;

import dev.quickwater.buffer.Base64Codec;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.base64.Base64;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does Base64 cost between two buffers of native memory?
///
/// Netty's methods make the target, so ours are given a new one each time.
public class Base64Benchmark extends PairedBenchmark {

  /// Bytes before encoding.
  @Param({"20", "768"})
  public int length;

  private final LoopAllocator allocator = new LoopAllocator();
  private final ByteBuf plain;
  private final ByteBuf text;
  private final io.netty.buffer.ByteBuf theirPlain = ByteBufAllocator.DEFAULT.directBuffer(2048);
  private final io.netty.buffer.ByteBuf theirText = ByteBufAllocator.DEFAULT.directBuffer(2048);

  public Base64Benchmark() {
    allocator.attach();
    plain = allocator.allocate(2048);
    text = allocator.allocate(2048);
  }

  @Setup
  public void draw() {
    byte[] bytes = new byte[length];
    new SplittableRandom(42).nextBytes(bytes);
    plain.writeBytes(bytes);
    theirPlain.writeBytes(bytes);
    Base64Codec.STANDARD.encode(plain, text);
    theirText.writeBytes(java.util.Base64.getEncoder().encode(bytes));
  }

  @TearDown
  public void release() {
    plain.release();
    text.release();
    theirPlain.release();
    theirText.release();
    allocator.detach();
  }

  @Benchmark
  public byte quickwaterEncode() {
    ByteBuf target = allocator.allocate(Base64Codec.STANDARD.encodedSize(length));
    Base64Codec.STANDARD.encode(plain, target);
    byte last = target.getByte(target.writerIndex() - 1);
    target.release();
    return last;
  }

  @Benchmark
  public byte nettyEncode() {
    io.netty.buffer.ByteBuf target =
        Base64.encode(theirPlain, theirPlain.readerIndex(), length, false);
    byte last = target.getByte(target.writerIndex() - 1);
    target.release();
    return last;
  }

  @Benchmark
  public byte quickwaterDecode() {
    ByteBuf target = allocator.allocate(length);
    Base64Codec.STANDARD.decode(text, target);
    byte last = target.getByte(length - 1);
    target.release();
    return last;
  }

  @Benchmark
  public byte nettyDecode() {
    io.netty.buffer.ByteBuf target =
        Base64.decode(theirText, theirText.readerIndex(), theirText.readableBytes());
    byte last = target.getByte(length - 1);
    target.release();
    return last;
  }
}
