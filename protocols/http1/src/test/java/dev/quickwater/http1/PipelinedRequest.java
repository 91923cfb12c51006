package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.zip.CRC32;

/// A random request of [PipeliningModelTest]: its bytes, and the response that the handler gives.
final class PipelinedRequest {

  /// How the request is delimited, and what follows for the connection.
  private enum Form {
    NO_BODY,
    LENGTH,
    CHUNKED,
    TRAILERS,
    EXPECT,
    LAST,
    HTTP_1_0,
    HTTP_1_0_KEEP_ALIVE
  }

  /// How the handler answers.
  private enum Answer {
    AT_ONCE,
    LATER,
    AFTER_THE_BODY,
    AFTER_A_HINT,
    IN_PIECES,
    ECHO
  }

  private static final int MAX_BODY = 5_000;
  private static final int MAX_PADDING = 20_000;

  final int number;
  final boolean isHead;
  private final Form form;
  private final Answer answer;
  private final byte[] body;
  private final byte[] padding;
  private final boolean sized;
  private final int delay;
  private final Random random;

  PipelinedRequest(int number, Random random) {
    this.number = number;
    this.random = random;
    form = Form.values()[random.nextInt(random.nextInt(10) == 0 ? 8 : 5)];
    boolean hasBody =
        form == Form.LENGTH
            || form == Form.CHUNKED
            || form == Form.TRAILERS
            || form == Form.EXPECT
            || random.nextInt(4) == 0 && form != Form.NO_BODY;
    isHead = !hasBody && random.nextInt(6) == 0;
    Answer any = Answer.values()[random.nextInt(Answer.values().length)];
    boolean closesUnread = form == Form.CHUNKED || form == Form.TRAILERS || form == Form.EXPECT;
    answer = closesUnread && random.nextInt(8) > 0 ? Answer.AFTER_THE_BODY : any;
    body = new byte[hasBody ? size(MAX_BODY) : 0];
    random.nextBytes(body);
    padding = new byte[size(MAX_PADDING)];
    random.nextBytes(padding);
    sized = random.nextBoolean();
    delay = random.nextInt(20);
  }

  private int size(int max) {
    return random.nextInt(3) == 0 ? random.nextInt(max) : random.nextInt(20);
  }

  private boolean isOld() {
    return form == Form.HTTP_1_0 || form == Form.HTTP_1_0_KEEP_ALIVE;
  }

  /// True if the connection closes after the response.
  boolean mustClose() {
    return form == Form.LAST || form == Form.HTTP_1_0 || isOld() && isUnsized();
  }

  /// True if the connection may close after the response: the server does not read the body, which
  /// the client may not send, or whose length it does not announce.
  boolean mayClose() {
    boolean unread =
        answer == Answer.AT_ONCE || answer == Answer.LATER || answer == Answer.IN_PIECES;
    return mustClose()
        || isOld()
        || unread && (form == Form.EXPECT || form == Form.CHUNKED || form == Form.TRAILERS);
  }

  /// True if only the close of the connection can end the response to HTTP/1.0.
  private boolean isUnsized() {
    return !isHead
        && (answer == Answer.ECHO ? body.length > 0 : answer == Answer.IN_PIECES && !sized);
  }

  // ---- the bytes ----

  byte[] wire() {
    String method = isHead ? "HEAD" : body.length > 0 ? "POST" : "GET";
    StringBuilder head = new StringBuilder(random.nextInt(8) == 0 ? "\r\n" : "");
    head.append(method).append(" /").append(number);
    head.append(isOld() ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n").append("Host: a\r\n");
    for (int i = random.nextInt(5); i > 0; i--) {
      head.append("X-Field-").append(i).append(": ").append("v".repeat(random.nextInt(50)));
      head.append("\r\n");
    }
    head.append(
        switch (form) {
          case LAST -> "Connection: close\r\n";
          case HTTP_1_0_KEEP_ALIVE -> "Connection: keep-alive\r\n";
          case EXPECT -> body.length == 0 ? "" : "Expect: 100-continue\r\n";
          default -> "";
        });
    boolean chunked = form == Form.CHUNKED || form == Form.TRAILERS;
    if (chunked) {
      head.append("Transfer-Encoding: chunked\r\n");
    } else if (body.length > 0 || form == Form.LENGTH) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(latin(head.append("\r\n").toString()));
    if (chunked) {
      chunks(out);
    } else {
      out.writeBytes(body);
    }
    return out.toByteArray();
  }

  private void chunks(ByteArrayOutputStream out) {
    for (int at = 0; at < body.length; ) {
      int length = 1 + random.nextInt(Math.min(body.length - at, 1000));
      String extension = random.nextInt(4) == 0 ? ";a=\"b\"" : "";
      out.writeBytes(latin(Integer.toHexString(length) + extension + "\r\n"));
      out.write(body, at, length);
      out.writeBytes(latin("\r\n"));
      at += length;
    }
    String trailer = form == Form.TRAILERS ? "X-Sum: " + number + "\r\n" : "";
    out.writeBytes(latin("0\r\n" + trailer + "\r\n"));
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  // ---- the answer ----

  /// The body of the response; of the response to GET if this is a HEAD.
  byte[] expected() {
    return switch (answer) {
      case ECHO -> body;
      case AFTER_THE_BODY, AFTER_A_HINT ->
          content(body, form == Form.TRAILERS ? "" + number : "null");
      case AT_ONCE, LATER, IN_PIECES -> content(new byte[0], "unread");
    };
  }

  private byte[] content(byte[] read, String trailer) {
    CRC32 sum = new CRC32();
    sum.update(read);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(latin(number + " " + sum.getValue() + " " + trailer + "\n"));
    all.writeBytes(padding);
    return all.toByteArray();
  }

  void handle(HttpExchange x) {
    switch (answer) {
      case AT_ONCE -> x.respond(whole(expected()));
      case LATER -> x.loop().schedule(() -> x.respond(whole(expected())), Duration.ofMillis(delay));
      case AFTER_THE_BODY -> x.requestBody().read(new Collector(x));
      case AFTER_A_HINT -> {
        x.inform(HttpStatus.of(103), HttpHeaders.of("link", "</a>"));
        x.requestBody().read(new Collector(x));
      }
      case IN_PIECES -> {
        byte[] all = expected();
        new Pieces(x.respond(TestServer.head(sized ? all.length : -1)), all).next();
      }
      case ECHO -> x.requestBody().pipeTo(x.respond(TestServer.head(-1)));
    }
  }

  private static HttpResponse whole(byte[] content) {
    return HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, content);
  }

  /// Reads the body and answers with its sum and its trailers.
  private final class Collector implements BodyReader {
    private final HttpExchange x;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    Collector(HttpExchange x) {
      this.x = x;
    }

    @Override
    public void data(ByteBuf bytes) {
      byte[] piece = bytes.readBytes(bytes.readableBytes());
      bytes.release();
      read.writeBytes(piece);
      x.requestBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {
      x.respond(whole(content(read.toByteArray(), "" + trailers.get("x-sum"))));
    }
  }

  /// Writes a body as far as the connection accepts it.
  private record Pieces(OutgoingBody out, byte[] all, int[] at) {

    Pieces(OutgoingBody out, byte[] all) {
      this(out, all, new int[1]);
    }

    void next() {
      while (out.isWritable() && at[0] < all.length) {
        int length = Math.min(all.length - at[0], 3000);
        out.write(ByteBuf.wrap(java.util.Arrays.copyOfRange(all, at[0], at[0] + length)));
        at[0] += length;
      }
      if (at[0] == all.length) {
        out.end();
      } else {
        out.onWritable(this::next);
      }
    }
  }

  @Override
  public String toString() {
    return number + " " + form + " " + answer + (isHead ? " HEAD " : " ") + body.length;
  }
}
