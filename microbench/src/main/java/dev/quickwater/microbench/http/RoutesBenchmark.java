package dev.quickwater.microbench.http;

import dev.quickwater.http.Filter;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.web.Routes;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What do a table of 100 routes and two filters add to a request that one handler answers?
///
/// The work around it is that of [HttpServerBenchmark]: 16 requests a read, from received bytes to
/// those that are to be sent. Half of the routes have parameters. The paths of `FIXED` have none,
/// those of `PARAMETERS` two.
public class RoutesBenchmark extends PairedBenchmark {

  private static final int ROUTES = 100;
  private static final int REQUESTS = 16;

  /// Which routes the requests are for.
  public enum Kind {
    /// A path of the table.
    FIXED("/service7/status"),
    /// A path with two parameters.
    PARAMETERS("/service7/users/4711/items/17");

    private final String path;

    Kind(String path) {
      this.path = path;
    }
  }

  @Param public Kind kind = Kind.FIXED;

  private final Counter first = new Counter();
  private final Counter second = new Counter();
  private final OurServer routed = new OurServer(filtered());
  private final OurServer bare = new OurServer(OurServer::answer);

  private static final class Counter implements Filter {
    long count;

    @Override
    public void handle(HttpExchange x, HttpHandler next) throws Exception {
      count++;
      next.handle(x);
    }
  }

  private HttpHandler filtered() {
    Routes routes = new Routes();
    for (int i = 0; i < ROUTES / 2; i++) {
      routes.get("/service" + i + "/status", OurServer::answer);
      routes.get("/service" + i + "/users/{user}/items/{item}", OurServer::answer);
    }
    return first.around(second.around(routes));
  }

  @Setup
  public void write() {
    String request =
        "GET " + kind.path + " HTTP/1.1\r\nHost: localhost:8080\r\nAccept: */*\r\n\r\n";
    byte[] bytes = request.repeat(REQUESTS).getBytes(StandardCharsets.US_ASCII);
    routed.setInput(bytes);
    bare.setInput(bytes);
  }

  @TearDown
  public void close() {
    routed.close();
    bare.close();
  }

  @Benchmark
  public long quickwaterRouted() {
    return routed.read() + first.count + second.count;
  }

  @Benchmark
  public long bareRouted() {
    return bare.read();
  }
}
