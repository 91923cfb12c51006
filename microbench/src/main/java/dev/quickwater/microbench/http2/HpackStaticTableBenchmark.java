package dev.quickwater.microbench.http2;

import dev.quickwater.http.HeaderName;
import dev.quickwater.http2.OurStaticTable;
import dev.quickwater.microbench.buffer.Draws;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.handler.codec.http2.NettyEncoder;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to find a field in the static table, or its name?
///
/// The fields come in an order drawn beforehand.
public class HpackStaticTableBenchmark extends PairedBenchmark {

  private static final String[][] WITH_NAME = {
    {"accept-encoding", "gzip, deflate"},
    {"accept-encoding", "br"},
    {"cache-control", "no-cache"},
    {"content-type", "application/json"},
    {"user-agent", "curl/8.14.1"},
    {"www-authenticate", "Basic"},
    {"age", "17"},
    {"vary", "accept"},
  };

  private static final String[][] WITHOUT_NAME = {
    {"x-request-id", "1"},
    {"sec-fetch-mode", "cors"},
    {"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736"},
    {"x-forwarded-for", "192.0.2.1"},
    {"priority", "u=1"},
    {"origin", "https://www.example.com"},
    {"grpc-timeout", "1S"},
    {"te", "trailers"},
  };

  /// Whether the table has the names.
  public enum Names {
    IN_TABLE,
    ABSENT
  }

  @Param({"IN_TABLE", "ABSENT"})
  public Names names = Names.IN_TABLE;

  private final int[] draws = Draws.below(1 << 12, WITH_NAME.length);
  private final HeaderName[] ourNames = new HeaderName[WITH_NAME.length];
  private final byte[][] ourValues = new byte[WITH_NAME.length][];
  private final AsciiString[] nettyNames = new AsciiString[WITH_NAME.length];
  private final AsciiString[] nettyValues = new AsciiString[WITH_NAME.length];
  private int draw;

  @Setup
  public void prepare() {
    String[][] fields = names == Names.IN_TABLE ? WITH_NAME : WITHOUT_NAME;
    for (int i = 0; i < fields.length; i++) {
      ourNames[i] = HeaderName.of(fields[i][0]);
      ourValues[i] = fields[i][1].getBytes(StandardCharsets.ISO_8859_1);
      nettyNames[i] = AsciiString.of(fields[i][0]);
      nettyValues[i] = AsciiString.of(fields[i][1]);
    }
  }

  private int next() {
    draw = draw + 1 & draws.length - 1;
    return draws[draw];
  }

  @Benchmark
  public int quickwaterFind() {
    int i = next();
    return OurStaticTable.index(ourNames[i], ourValues[i]);
  }

  @Benchmark
  public int nettyFind() {
    int i = next();
    return NettyEncoder.staticIndex(nettyNames[i], nettyValues[i]);
  }
}
