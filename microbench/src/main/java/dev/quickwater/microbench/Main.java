package dev.quickwater.microbench;

import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.e2e.Clients;
import dev.quickwater.microbench.e2e.ColdStart;
import dev.quickwater.microbench.e2e.E2e;
import dev.quickwater.microbench.e2e.EchoMemory;
import dev.quickwater.microbench.e2e.Fairness;
import dev.quickwater.microbench.e2e.Handshakes;
import dev.quickwater.microbench.e2e.Idle;
import dev.quickwater.microbench.e2e.OffLoop;
import dev.quickwater.microbench.e2e.UdpEcho;
import dev.quickwater.microbench.jmh.JmhRun;
import dev.quickwater.microbench.suite.Http2Suite;
import dev.quickwater.microbench.suite.MemorySuite;
import dev.quickwater.microbench.suite.TlsSuite;
import dev.quickwater.microbench.suite.UtilSuite;
import dev.quickwater.microbench.trace.AllocationPatternSimulator;
import java.io.IOException;
import java.util.List;

/// `qw bench`.
public final class Main {

  private static final String HELP =
      """
      qw bench PATTERN [--quick|--full] [--allocations] [--json FILE] [--html FILE]
          run the JMH pairs whose name the regular expression finds, each beside its peers;
          with --allocations also the bytes of heap that an operation takes
      qw bench list
          print the names of the pairs
      qw bench e2e [--variants A,B] [--depths 1,16,256] [--rounds N] [--seconds N] [--warmup N]
          [--against COMMIT] [--quick|--full] [--jvm-flags "..."] [--json FILE] [--html FILE]
          whole servers under load: requests/s, latency, processor time for a request;
          with --against also quickwater-epoll as built from another commit
      qw bench e2e --http2 [--variants A,B] [--loads 16x32,16x32/16k] [--rounds N] [--seconds N]
          [--warmup N] [--quick|--full] [--jvm-flags "..."] [--json FILE] [--html FILE]
          the same for HTTP/2 under h2load, loads are CONNECTIONSxSTREAMS, /16k has larger bodies
      qw bench e2e --tls [--variants A,B] [--loads h1-1,h1-16,h2-64x100,h1-1m] [--rounds N]
          [--seconds N] [--warmup N] [--libssl FILE] [--quick|--full] [--jvm-flags "..."]
          [--json FILE] [--html FILE]
          the same for TLS 1.3 under h2load
      qw bench clients [--http2] [--variants A,B] [--loads 64x1] [--rounds N] [--seconds N]
          [--warmup N] [--quick|--full] [--jvm-flags "..."] [--json FILE] [--html FILE]
          processor time of HTTP clients for each request beside a server in C
      qw bench idle [--tls] [--connections FEW,MANY] [--rounds N] [--variants A,B] [--json FILE] [--html FILE]
          bytes of memory for each further idle connection between two counts
      qw bench udp [--bytes N] [--sockets N] [--window N] [--seconds N] [--rounds N] [--json FILE]
          [--html FILE]
          processor time of a UDP echo server for each datagram
      qw bench offloop [--messages N] [--rounds N] [--json FILE] [--html FILE]
          writes of another thread: processor time of a message, and bytes that a flood queues
      qw bench fairness [--attackers N] [--seconds N] [--rounds N] [--variants A,B] [--json FILE]
          [--html FILE]
          median latency of others while connections pipeline file requests without end
      qw bench coldstart [--launches N] [--variants A,B] [--json FILE] [--html FILE]
          time from the launch to the first byte served, with and without an AOT cache
      qw bench memory [--quick|--full] [--rows PATTERN] [--json FILE] [--html FILE]
          buffers and allocators beside Netty's adaptive and pooled ones: every row with its target
      qw bench util [--quick|--full] [--rows PATTERN] [--json FILE] [--html FILE]
          executors, timers, futures, thread-locals, text, maps, addresses and dates beside Netty's
      qw bench http2 [--quick|--full] [--rows PATTERN] [--json FILE] [--html FILE]
          header compression, frames and the distribution of bytes beside Netty's
      qw bench tls [--quick|--full] [--rows PATTERN] [--json FILE] [--html FILE]
          records of TLS beside Netty's with BoringSSL and with the JDK
      qw bench handshakes [--variants A,B] [--rounds N] [--seconds N] [--warmup N] [--libssl FILE]
          [--quick|--full] [--json FILE] [--html FILE]
          processor time of full and resumed TLS handshakes beside a program in C
      qw bench traces [--record FILE]
          memory that each allocator reserves for the same allocations, or record such a trace
      qw bench echo [--mebibytes N] [--variants A,B]
          resident memory while a large body is echoed
      """;

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    System.exit(run(List.of(args)));
  }

  private static int run(List<String> args) throws InterruptedException {
    try {
      dispatch(args.isEmpty() ? "help" : args.getFirst(), args);
      return 0;
    } catch (UsageException e) {
      System.err.println("qw bench: " + e.getMessage());
      return 2;
    } catch (IOException e) {
      System.err.println("qw bench: " + e.getMessage());
      return 1;
    }
  }

  private static void dispatch(String command, List<String> args)
      throws IOException, InterruptedException {
    List<String> rest = args.subList(Math.min(1, args.size()), args.size());
    switch (command) {
      case "e2e" -> E2e.run(rest);
      case "clients" -> Clients.run(rest);
      case "udp" -> UdpEcho.run(rest);
      case "offloop" -> OffLoop.run(rest);
      case "fairness" -> Fairness.run(rest);
      case "idle" -> Idle.run(rest);
      case "coldstart" -> ColdStart.run(rest);
      case "memory" -> MemorySuite.run(rest);
      case "util" -> UtilSuite.run(rest);
      case "http2" -> Http2Suite.run(rest);
      case "handshakes" -> Handshakes.run(rest);
      case "tls" -> TlsSuite.run(rest);
      case "traces" -> AllocationPatternSimulator.run(rest);
      case "echo" -> EchoMemory.run(rest);
      case "list" -> JmhRun.list();
      case "help", "-h", "--help" -> System.out.print(HELP);
      default -> JmhRun.run(args);
    }
  }
}
