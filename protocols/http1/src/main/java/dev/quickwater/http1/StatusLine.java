package dev.quickwater.http1;

import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.util.text.Ascii;
import org.jspecify.annotations.Nullable;

/// Reads a status line (RFC 9112 section 4). The space before an empty reason phrase may be
/// missing, because several servers omit it. The reason phrase is ignored; [LineScanner] has
/// refused control characters in it.
final class StatusLine {

  /// The shortest line: `HTTP/1.1 200`.
  private static final int MIN_LENGTH = 12;

  private static final int VERSION_LENGTH = 8;

  private StatusLine() {}

  static HttpVersion version(byte[] block, int end) throws Http1Exception {
    if (end < MIN_LENGTH || block[VERSION_LENGTH] != ' ') {
      throw malformed();
    }
    @Nullable HttpVersion version = HeadParser.version(block, 0);
    if (version == null) {
      throw malformed();
    }
    return version;
  }

  static HttpStatus status(byte[] block, int end) throws Http1Exception {
    int code = (int) Ascii.parseDigits(block, VERSION_LENGTH + 1, MIN_LENGTH);
    if (code < 100 || end > MIN_LENGTH && block[MIN_LENGTH] != ' ') {
      throw malformed();
    }
    return HttpStatus.of(code);
  }

  private static Http1Exception malformed() {
    return Http1Exception.badGateway("the response does not begin with HTTP/1.1 and a status code");
  }
}
