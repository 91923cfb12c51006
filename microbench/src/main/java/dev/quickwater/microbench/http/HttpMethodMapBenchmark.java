package dev.quickwater.microbench.http;

import dev.quickwater.http.HttpMethod;
import dev.quickwater.microbench.buffer.Draws;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to find the method of a name?
///
/// The names come in an order drawn beforehand. Unknown ones are tokens, so that both sides have to
/// validate them and make an object.
public class HttpMethodMapBenchmark extends PairedBenchmark {

  private static final List<String> KNOWN =
      List.of("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE");
  private static final List<String> UNKNOWN =
      List.of("PROPFIND", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "PURGE");

  /// Which names.
  public enum Names {
    KNOWN_ONLY,
    MIXED,
    UNKNOWN_ONLY
  }

  @Param({"KNOWN_ONLY", "MIXED", "UNKNOWN_ONLY"})
  public Names names = Names.MIXED;

  private final String[] drawn = new String[1 << 12];
  private int draw;

  @Setup
  public void draw() {
    int[] draws = Draws.below(drawn.length, 2 * KNOWN.size());
    for (int i = 0; i < drawn.length; i++) {
      int index = draws[i] >> 1;
      boolean known = names == Names.KNOWN_ONLY || names == Names.MIXED && (draws[i] & 1) == 0;
      drawn[i] = (known ? KNOWN : UNKNOWN).get(index);
    }
  }

  private String next() {
    draw = draw + 1 & drawn.length - 1;
    return drawn[draw];
  }

  @Benchmark
  public Object quickwaterOf() {
    return HttpMethod.of(next());
  }

  @Benchmark
  public Object nettyOf() {
    return io.netty.handler.codec.http.HttpMethod.valueOf(next());
  }
}
