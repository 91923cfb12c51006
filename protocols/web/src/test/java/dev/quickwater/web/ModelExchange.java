package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.Exchange;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// One exchange of [JoinedModelTest]: the actions of both sides, chosen at random, and the events
/// they received.
final class ModelExchange {

  private static final int NEVER = Integer.MAX_VALUE;

  /// How the server answers.
  private enum Answer {
    WHOLE,
    STREAM,
    ECHO,
    NO_CONTENT,
    THROW,
    RESET
  }

  private final int number;
  private final Random random;
  private final HttpVersion version;

  // What is planned.
  private final HttpMethod method;
  private final boolean knownLength;
  private final boolean expects;
  private final boolean trailers;
  private final int requestSize;
  private final int clientAbortsAt;
  private final boolean clientPauses;
  private final Answer answer;
  private final boolean readsFirst;
  private final boolean drains;
  private final boolean chunkedResponse;
  private final int informs;
  private final int responseSize;
  private final int serverAbortsAt;
  private final int serverDelay;

  // What happened.
  private boolean openDone;
  private @Nullable Side server;
  private @Nullable Side client;
  private int informed;
  private @Nullable HttpStatus status;

  ModelExchange(int number, HttpVersion version, Random random) {
    this.number = number;
    this.version = version;
    this.random = random;
    int kind = random.nextInt(10);
    method = kind < 4 ? HttpMethod.GET : kind < 5 ? HttpMethod.HEAD : HttpMethod.POST;
    requestSize = method == HttpMethod.POST ? size() : 0;
    knownLength = method != HttpMethod.POST || random.nextBoolean();
    trailers = random.nextInt(4) == 0;
    expects = requestSize > 0 && random.nextInt(8) == 0;
    clientAbortsAt = random.nextInt(15) == 0 ? random.nextInt(2000) : NEVER;
    clientPauses = random.nextInt(5) == 0;
    int way = random.nextInt(24);
    answer =
        way < 9
            ? Answer.WHOLE
            : way < 15
                ? Answer.STREAM
                : way < 20
                    ? Answer.ECHO
                    : way < 22 ? Answer.NO_CONTENT : way < 23 ? Answer.THROW : Answer.RESET;
    readsFirst = answer != Answer.ECHO && random.nextInt(3) > 0;
    drains = random.nextInt(40) == 0;
    chunkedResponse = random.nextBoolean();
    informs = random.nextInt(6) == 0 ? 1 + random.nextInt(3) : 0;
    responseSize = size();
    serverAbortsAt = random.nextInt(20) == 0 ? random.nextInt(2000) : NEVER;
    serverDelay = random.nextInt(6) == 0 ? random.nextInt(500) : 0;
  }

  private int size() {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> random.nextInt(200_000);
      case 3, 4 -> random.nextInt(20_000);
      default -> random.nextInt(500);
    };
  }

  int number() {
    return number;
  }

  RequestHead requestHead() {
    RequestHead.Builder head = RequestHead.builder(method, "http://a/" + number);
    head.contentLength(knownLength ? requestSize : RequestHead.UNKNOWN_LENGTH);
    if (expects) {
      head.add("expect", "100-continue");
    }
    return head.build();
  }

  /// The bytes of a message depend on exchange, direction and offset.
  private byte expectedByte(boolean request, int offset) {
    return (byte) (number * 31 + offset * 7 + (request ? 1 : 0));
  }

  private static HttpHeaders fields(boolean some) {
    return some ? HttpHeaders.of("x-trailer", "1") : HttpHeaders.EMPTY;
  }

  /// The bytes that one side sends and receives, and its outcome.
  private final class Side implements BodyReader {
    final Exchange exchange;
    final IncomingBody in;
    final OutgoingBody out;
    final boolean sendsRequest;
    final boolean receivesRequest;
    final int size;
    final boolean sendsTrailers;
    final int abortsAt;
    final boolean pauses;
    int sent;
    int received;
    boolean sentEnd;
    boolean receivedEnd;
    int receivedTrailers;
    int ends;
    @Nullable Outcome outcome;
    Runnable atEnd = () -> {};

    Side(
        Exchange exchange,
        IncomingBody in,
        OutgoingBody out,
        boolean client,
        int size,
        boolean sendsTrailers,
        int abortsAt,
        boolean pauses) {
      this.exchange = exchange;
      this.in = in;
      this.out = out;
      this.sendsRequest = client;
      this.receivesRequest = !client || answer == Answer.ECHO;
      this.size = size;
      this.sendsTrailers = sendsTrailers;
      this.abortsAt = abortsAt;
      this.pauses = pauses;
      exchange.onEnd(end -> {
        ends++;
        outcome = end;
      });
    }

    EventLoop loop() {
      return exchange.loop();
    }

    boolean abortsNow() {
      if (sent + received >= abortsAt) {
        exchange.reset(ResetCode.CANCEL);
        return true;
      }
      return false;
    }

    void send() {
      if (sent == size) {
        sentEnd = true;
        out.end(fields(sendsTrailers));
        return;
      }
      if (abortsNow()) {
        return;
      }
      int length = Math.min(size - sent, 1 + random.nextInt(16_000));
      ByteBuf bytes = loop().allocator().allocate(length);
      for (int i = 0; i < length; i++) {
        bytes.writeByte(expectedByte(sendsRequest, sent + i));
      }
      sent += length;
      out.write(bytes);
      if (random.nextInt(4) == 0) {
        out.flush();
      }
      if (pauses) {
        loop().schedule(this::send, Duration.ofMillis(random.nextInt(300)));
      } else if (out.isWritable()) {
        send();
      } else {
        out.onWritable(this::send);
      }
    }

    void read() {
      in.read(this);
    }

    @Override
    public void data(ByteBuf bytes) {
      for (int i = 0; i < bytes.readableBytes(); i++) {
        byte expected = expectedByte(receivesRequest, received + i);
        assertEquals(
            expected, bytes.getByte(bytes.readerIndex() + i), ModelExchange.this::toString);
      }
      received += bytes.readableBytes();
      bytes.release();
      if (abortsNow()) {
        return;
      }
      if (pauses) {
        loop().schedule(this::read, Duration.ofMillis(random.nextInt(300)));
      } else {
        read();
      }
    }

    @Override
    public void end(HttpHeaders fields) {
      receivedEnd = true;
      receivedTrailers = fields.size();
      atEnd.run();
    }

    @Override
    public void failed(Exception cause) throws Exception {
      throw cause;
    }

    boolean isCompleted() {
      return outcome != null && outcome.isCompleted();
    }

    @Override
    public String toString() {
      return "sent " + sent + " of " + size + ", received " + received + ", " + outcome;
    }
  }

  // ---- the client ----

  void opened() {
    openDone = true;
  }

  void begin(ClientExchange x) {
    Side side =
        new Side(
            x,
            x.responseBody(),
            x.requestBody(),
            true,
            requestSize,
            trailers,
            clientAbortsAt,
            clientPauses);
    client = side;
    x.onInform((_, _) -> informed++);
    x.onResponse(head -> {
      status = head.status();
      if (head.status().code() == 500) {
        x.readAll(100);
      } else {
        side.read();
      }
    });
    if (clientAbortsAt == 0) {
      x.reset(ResetCode.CANCEL);
    } else if (requestSize > 0 || !knownLength) {
      side.send();
    } else {
      side.sentEnd = true;
    }
  }

  // ---- the server ----

  void serve(HttpExchange x) {
    Side side =
        new Side(
            x,
            x.requestBody(),
            (OutgoingBody) x,
            false,
            responseSize,
            chunkedResponse && trailers,
            serverAbortsAt,
            false);
    server = side;
    for (int i = 0; i < informs; i++) {
      x.inform(HttpStatus.of(103), HttpHeaders.of("link", "</a>"));
    }
    if (drains) {
      x.connection().drain();
    }
    Runnable respond = () -> respond(x, side);
    if (readsFirst) {
      side.atEnd = respond;
      side.read();
    } else if (serverDelay > 0) {
      x.loop().schedule(respond, Duration.ofMillis(serverDelay));
    } else {
      respond.run();
    }
  }

  private void respond(HttpExchange x, Side side) {
    switch (answer) {
      case WHOLE -> {
        byte[] body = new byte[responseSize];
        for (int i = 0; i < responseSize; i++) {
          body[i] = expectedByte(false, i);
        }
        side.sent = responseSize;
        side.sentEnd = true;
        x.respond(HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, body));
      }
      case STREAM -> {
        ResponseHead head = ResponseHead.of(HttpStatus.OK);
        x.respond(chunkedResponse ? head : head.withLength(responseSize));
        side.send();
      }
      case ECHO -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK)));
      case NO_CONTENT -> x.respond(ResponseHead.of(HttpStatus.NO_CONTENT));
      case THROW ->
          x.execute(() -> {
            throw new IllegalStateException("a fault of the handler");
          });
      case RESET -> x.reset(ResetCode.CANCEL);
    }
  }

  // ---- the model ----

  /// On HTTP/1.1 a body of known length has no trailers.
  private boolean sendsTrailers() {
    return trailers && (!knownLength || version == HttpVersion.HTTP_2 && requestSize > 0);
  }

  boolean isCompleted() {
    return client != null && client.isCompleted();
  }

  boolean isOver() {
    return openDone && (client == null || client.ends > 0) && (server == null || server.ends > 0);
  }

  void check(String where) {
    @Nullable Side asking = client;
    @Nullable Side answering = server;
    String all = where + ": " + this;
    if (asking == null) {
      assertTrue(answering == null, all);
      return;
    }
    assertEquals(1, asking.ends, all);
    if (answering == null) {
      assertTrue(!asking.isCompleted(), all);
      return;
    }
    assertEquals(1, answering.ends, all);
    if (answering.receivedEnd) {
      // A body of known length is complete with its last byte.
      assertTrue(asking.sentEnd || knownLength && asking.sent == requestSize, all);
      assertEquals(requestSize, answering.received, all);
      assertEquals(sendsTrailers() ? 1 : 0, answering.receivedTrailers, all);
    }
    if (asking.isCompleted()) {
      assertTrue(answering.isCompleted(), all);
      checkResponse(asking, all);
    }
  }

  private void checkResponse(Side asking, String all) {
    int code = answer == Answer.THROW ? 500 : answer == Answer.NO_CONTENT ? 204 : 200;
    assertEquals(HttpStatus.of(code), status, all);
    assertEquals(informs, informed, all);
    if (code == 500) {
      return;
    }
    boolean hasBody = method != HttpMethod.HEAD && code != 204;
    int expected = !hasBody ? 0 : answer == Answer.ECHO ? requestSize : responseSize;
    assertTrue(asking.receivedEnd, all);
    assertEquals(expected, asking.received, all);
    boolean expectsTrailers =
        hasBody
            && (answer == Answer.STREAM
                ? trailers && chunkedResponse
                : answer == Answer.ECHO && sendsTrailers());
    assertEquals(expectsTrailers ? 1 : 0, asking.receivedTrailers, all);
  }

  @Override
  public String toString() {
    return method
        + (knownLength ? " known" : " unknown")
        + (expects ? " expects" : "")
        + (trailers ? " trailers" : "")
        + (readsFirst ? " reads first, " : ", ")
        + answer
        + " informs "
        + informs
        + " drains "
        + drains
        + ", client: "
        + client
        + ", server: "
        + server;
  }
}
