package dev.quickwater.microbench.http2;

import dev.quickwater.http2.OurDistribution;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.handler.codec.http2.Http2Exception;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to divide 64 KiB of the connection's window among streams that always have
/// bytes to send, uniformly and by weights from 1 to 256?
public class ByteDistributionBenchmark extends PairedBenchmark {

  private static final int WINDOW = 64 << 10;

  @Param({"10", "100", "1000"})
  int streams;

  private OurDistribution ourUniform = new OurDistribution(1, false);
  private OurDistribution ourWeighted = new OurDistribution(1, true);
  private NettyDistribution nettyUniform;
  private NettyDistribution nettyWeighted;

  /// Peers of one stream until the parameter is known.
  public ByteDistributionBenchmark() {
    try {
      nettyUniform = new NettyDistribution(1, false);
      nettyWeighted = new NettyDistribution(1, true);
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Setup
  public void prepare() throws Http2Exception {
    ourUniform = new OurDistribution(streams, false);
    ourWeighted = new OurDistribution(streams, true);
    nettyUniform = new NettyDistribution(streams, false);
    nettyWeighted = new NettyDistribution(streams, true);
  }

  @Benchmark
  public long quickwaterUniform() {
    return ourUniform.distribute(WINDOW);
  }

  @Benchmark
  public long nettyUniform() throws Http2Exception {
    return nettyUniform.distribute(WINDOW);
  }

  @Benchmark
  public long quickwaterWeighted() {
    return ourWeighted.distribute(WINDOW);
  }

  @Benchmark
  public long nettyWeighted() throws Http2Exception {
    return nettyWeighted.distribute(WINDOW);
  }
}
