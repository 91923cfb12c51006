package dev.quickwater.testsuite.http2;

import java.util.List;
import org.junit.jupiter.api.Test;

/// CVE-2021-21295 and CVE-2021-21409: a Content-Length that differs from the DATA frames, which a
/// proxy to HTTP/1.1 turns into a second request (RFC 9113 section 8.1.1).
final class ContentLengthTest {

  private static Frame post(String... lengths) {
    Fields fields = Fields.post("/length");
    for (String length : lengths) {
      fields.add("content-length", length);
    }
    return Frame.headers(1, fields);
  }

  @Test
  void equalLengthIsAccepted() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.accepts("one frame", post("5"), Frame.data(1, 5).last());
      verdicts.accepts(
          "frames", post("5"), Frame.data(1, 2), Frame.data(1, 3), Frame.data(1, 0).last());
      verdicts.accepts("0 without body", post("0").last());
      verdicts.accepts("0 with an empty frame", post("0"), Frame.data(1, 0).last());
      verdicts.accepts("absent", post(), Frame.data(1, 5).last());
      verdicts.accepts(
          "before trailers",
          post("5"),
          Frame.data(1, 5),
          Frame.headers(1, Fields.of("x-t", "1")).last());
      verdicts.accepts(
          "padding is not counted",
          post("1"),
          Frame.data(1, new byte[] {3, 'x', 0, 0, 0}).withFlags(Frame.PADDED | Frame.END_STREAM));
    }
  }

  @Test
  void differentLengthIsAStreamError() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.refuses("too short", 1, post("5"), Frame.data(1, 4).last());
      verdicts.refuses("too long", 1, post("5"), Frame.data(1, 6).last());
      verdicts.refuses("too long, open", 1, post("5"), Frame.data(1, 6));
      verdicts.refuses("body after 0", 1, post("0"), Frame.data(1, 1).last());
      verdicts.refuses("no body", 1, post("5").last());
      verdicts.refuses(
          "trailers too early",
          1,
          post("5"),
          Frame.data(1, 4),
          Frame.headers(1, Fields.of("x-t", "1")).last());
    }
  }

  @Test
  void anythingButOneNumberIsRefused() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      for (String length :
          List.of(
              "", "+5", "-5", "0x5", "5,5", "5, 5", "5 5", "5;", "five", "99999999999999999999")) {
        verdicts.refuses("'" + length + "'", 0, post(length), Frame.data(1, 5).last());
      }
      verdicts.refuses("repeated", 0, post("5", "5"), Frame.data(1, 5).last());
      verdicts.refuses("two", 0, post("5", "6"), Frame.data(1, 5).last());
    }
  }
}
