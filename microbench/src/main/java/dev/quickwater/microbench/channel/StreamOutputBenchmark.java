package dev.quickwater.microbench.channel;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to keep what is to be sent until the kernel has taken it?
///
/// So many small payloads are added, flushed, and reported as sent at once. The payloads are views
/// of constant bytes in arrays, the cheapest that each side has, so that the figure is the queue's.
public class StreamOutputBenchmark extends PairedBenchmark {

  private static final byte[] BYTES = new byte[64];

  @Param({"1", "16"})
  public int payloads;

  private final StreamOutput ours = new StreamOutput(new NoChannel());
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ChannelOutboundBuffer theirs =
      Objects.requireNonNull(channel.unsafe().outboundBuffer());
  private final io.netty.buffer.ByteBuf constant =
      Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(BYTES));

  @TearDown
  public void close() {
    channel.finishAndReleaseAll();
  }

  @Benchmark
  public long quickwaterAddFlushSend() {
    for (int i = 0; i < payloads; i++) {
      ours.add(ByteBuf.wrap(BYTES), null);
    }
    ours.flush();
    ours.progress((long) payloads * BYTES.length);
    return ours.pendingBytes();
  }

  @Benchmark
  public long nettyAddFlushSend() {
    for (int i = 0; i < payloads; i++) {
      theirs.addMessage(constant.duplicate(), BYTES.length, channel.voidPromise());
    }
    theirs.addFlush();
    theirs.removeBytes((long) payloads * BYTES.length);
    return theirs.totalPendingWriteBytes();
  }
}
