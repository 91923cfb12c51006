package dev.quickwater.microbench.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http1.Http1Exception;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http1.RequestParser;
import dev.quickwater.microbench.buffer.Draws;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.AsciiString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/// What does it cost to build the fields of a response, and to ask for one of a request?
///
/// - `Build` makes five fields from constants, validated, as both do unless told otherwise.
/// - `Get` looks up one of the twelve fields of a browser, as each side's parser made them; two of
///   the eight names are absent. Names are constants on both sides. Our side makes the text of the
///   value here, Netty's parser made it before.
public class HeadersBenchmark extends PairedBenchmark {

  private static final String[] NAMES = {
    "accept",
    "user-agent",
    "accept-encoding",
    "referer",
    "cookie",
    "cache-control",
    "content-type",
    "authorization"
  };
  private static final AsciiString[] NETTY_NAMES = {
    HttpHeaderNames.ACCEPT,
    HttpHeaderNames.USER_AGENT,
    HttpHeaderNames.ACCEPT_ENCODING,
    HttpHeaderNames.REFERER,
    HttpHeaderNames.COOKIE,
    HttpHeaderNames.CACHE_CONTROL,
    HttpHeaderNames.CONTENT_TYPE,
    HttpHeaderNames.AUTHORIZATION
  };

  private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");

  private static final HeaderName[] OUR_NAMES =
      Arrays.stream(NAMES).map(HeaderName::of).toArray(HeaderName[]::new);

  private final int[] draws = Draws.below(1 << 12, NAMES.length);
  private final HttpHeaders ours = parse();
  private final io.netty.handler.codec.http.HttpHeaders theirs = nettyParse();
  private int draw;

  private static HttpHeaders parse() {
    RequestParser parser = new RequestParser(Http1Settings.DEFAULT);
    try {
      parser.parse(ByteBuf.wrap(Samples.BROWSER.bytes(1)));
    } catch (Http1Exception e) {
      throw new IllegalStateException("the sample is no request", e);
    }
    return parser.request().headers();
  }

  private static io.netty.handler.codec.http.HttpHeaders nettyParse() {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());
    channel.writeInbound(Unpooled.wrappedBuffer(Samples.BROWSER.bytes(1)));
    HttpMessage request = channel.readInbound();
    channel.finishAndReleaseAll();
    return request.headers();
  }

  private int next() {
    draw = draw + 1 & draws.length - 1;
    return draws[draw];
  }

  @Benchmark
  public @Nullable String quickwaterGet() {
    return ours.get(OUR_NAMES[next()]);
  }

  @Benchmark
  public @Nullable String nettyGet() {
    return theirs.get(NETTY_NAMES[next()]);
  }

  @Benchmark
  public Object quickwaterBuild() {
    return HttpHeaders.builder()
        .add("content-type", "application/json")
        .add("server", "benchmark")
        .add("cache-control", "no-store")
        .add("vary", "accept-encoding")
        .add("x-request-id", "8f14e45fceea167a")
        .build();
  }

  @Benchmark
  public Object nettyBuild() {
    return new DefaultHttpHeaders()
        .add(HttpHeaderNames.CONTENT_TYPE, "application/json")
        .add(HttpHeaderNames.SERVER, "benchmark")
        .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .add(HttpHeaderNames.VARY, "accept-encoding")
        .add(REQUEST_ID, "8f14e45fceea167a");
  }
}
