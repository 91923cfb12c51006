package dev.quickwater.microbench.http;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does the framework cost for a request, from the bytes that were received to those that are
/// to be sent?
///
/// Decoder, handler and encoder of both sides answer a read of so many requests with the plaintext
/// response, as the servers of `qw bench e2e` do, but between the first place of the pipeline and
/// nothing: no system call. The time is that of the whole read. `SAME` is a response that our
/// handler makes once, `NEW` one for each request; Netty's handler makes one for each request in
/// any case.
public class HttpServerBenchmark extends PairedBenchmark {

  @Param({"SIMPLE", "BROWSER"})
  public Samples sample = Samples.SIMPLE;

  @Param({"1", "16"})
  public int requests;

  /// How our handler makes the response.
  public enum Response {
    SAME,
    NEW
  }

  @Param public Response response = Response.SAME;

  private final OurServer same = new OurServer();
  private final OurServer fresh = new OurServer(OurServer::answerAnew);
  private final NettyServerChannel theirs = new NettyServerChannel();

  @Setup
  public void write() {
    byte[] bytes = sample.bytes(requests);
    same.setInput(bytes);
    fresh.setInput(bytes);
    theirs.setInput(bytes);
  }

  @TearDown
  public void close() {
    same.close();
    fresh.close();
    theirs.close();
  }

  @Benchmark
  public long quickwaterPlaintext() {
    return (response == Response.SAME ? same : fresh).read();
  }

  @Benchmark
  public long nettyPlaintext() {
    return theirs.read();
  }
}
