package dev.quickwater.microbench.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http1.Http1Settings;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Our HTTP/1.1 server on a channel whose first handler stands for the transport.
final class OurServer {

  private static final HttpHeaders FIELDS =
      HttpHeaders.of("content-type", "text/plain", "server", "quickwater");
  private static final byte[] BODY = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final HttpResponse HELLO = HttpResponse.of(HttpStatus.OK, FIELDS, BODY);

  private final Edge edge = new Edge();
  private final EmbeddedChannel channel;
  private ByteBuf input = ByteBuf.wrap();

  /// With the plaintext response for every request.
  OurServer() {
    this(OurServer::answer);
  }

  /// With a handler.
  OurServer(HttpHandler handler) {
    channel = new EmbeddedChannel(edge, new Http1ServerHandler(Http1Settings.DEFAULT, handler));
  }

  /// Answers with the plaintext response.
  static void answer(HttpExchange exchange) {
    exchange.respond(HELLO);
  }

  /// Answers with an equal response that is made for each request; its fields are not.
  static void answerAnew(HttpExchange exchange) {
    exchange.respond(HttpResponse.of(HttpStatus.OK, FIELDS, BODY));
  }

  /// What every read receives.
  void setInput(byte[] bytes) {
    input.release();
    input = ByteBufAllocator.shared().allocate(bytes.length).writeBytes(bytes);
  }

  /// Receives the input and answers it.
  ///
  /// @return bytes sent so far
  long read() {
    HandlerContext context = edge.context();
    context.fireChannelRead(input.share());
    context.fireChannelReadComplete();
    channel.loop().step(); // the next turn has a new budget of requests
    return edge.sent;
  }

  void close() {
    channel.close();
    input.release();
  }

  private static final class Edge implements ChannelHandler {
    private @Nullable HandlerContext context;
    long sent;

    HandlerContext context() {
      return Objects.requireNonNull(context);
    }

    @Override
    public void handlerAdded(HandlerContext added) {
      context = added;
    }

    @Override
    public void write(HandlerContext at, Object message, @Nullable Promise<Void> promise) {
      Payload payload = (Payload) message;
      sent += payload.size();
      payload.release();
    }

    @Override
    public void flush(HandlerContext at) {
      // nothing waits: write took it
    }
  }
}
