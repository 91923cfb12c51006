package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpHeaders;
import java.nio.charset.StandardCharsets;

/// Notes what a reader hears.
final class BodyLog implements BodyReader {

  final StringBuilder text = new StringBuilder();
  int ends;
  HttpHeaders trailers = HttpHeaders.EMPTY;

  @Override
  public void data(ByteBuf bytes) {
    if (ends > 0) {
      throw new IllegalStateException("data after the end");
    }
    text.append(bytes.toString(StandardCharsets.ISO_8859_1));
    bytes.release();
  }

  @Override
  public void end(HttpHeaders fields) {
    ends++;
    trailers = fields;
  }

  @Override
  public String toString() {
    return text + (ends == 0 ? "" : "|".repeat(ends));
  }
}
