package dev.quickwater.microbench.http;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does it cost to write a response of five lines and 13 bytes?
///
/// Our encoder is not public, so both sides answer the smallest request there is: most of the bytes
/// and of the work are the response's, not all. [HttpServerBenchmark] has requests of the usual
/// size.
public class HttpResponseEncoderBenchmark extends PairedBenchmark {

  private final OurServer ours = new OurServer();
  private final NettyServerChannel theirs = new NettyServerChannel();

  @Setup
  public void write() {
    byte[] bytes = Samples.SMALLEST.bytes(1);
    ours.setInput(bytes);
    theirs.setInput(bytes);
  }

  @TearDown
  public void close() {
    ours.close();
    theirs.close();
  }

  @Benchmark
  public long quickwaterPlaintext() {
    return ours.read();
  }

  @Benchmark
  public long nettyPlaintext() {
    return theirs.read();
  }
}
