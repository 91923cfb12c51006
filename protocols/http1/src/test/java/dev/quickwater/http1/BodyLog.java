package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.IncomingBody;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Records what a reader receives: text, `|` for the end, `!` for a failure.
final class BodyLog implements BodyReader {

  final StringBuilder text = new StringBuilder();
  private final IncomingBody body;
  private boolean reading = true;
  HttpHeaders trailers = HttpHeaders.EMPTY;
  @Nullable Exception failure;

  private BodyLog(HttpExchange x) {
    body = x.requestBody();
  }

  /// Reads the body to its end.
  static BodyLog of(HttpExchange x) {
    BodyLog log = new BodyLog(x);
    log.body.read(log);
    return log;
  }

  /// Reads one piece for each [#pull].
  static BodyLog manual(HttpExchange x) {
    BodyLog log = new BodyLog(x);
    log.reading = false;
    return log;
  }

  void pull() {
    body.read(this);
  }

  /// Requests no further piece.
  void hold() {
    reading = false;
  }

  @Override
  public void data(ByteBuf bytes) {
    text.append(bytes.toString(StandardCharsets.ISO_8859_1));
    bytes.release();
    if (reading) {
      body.read(this);
    }
  }

  @Override
  public void end(HttpHeaders fields) {
    text.append('|');
    trailers = fields;
  }

  @Override
  public void failed(Exception cause) throws Exception {
    text.append('!');
    failure = cause;
    throw cause;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
