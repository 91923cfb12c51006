package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.accepted;
import static dev.quickwater.http1.Parsing.of;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.codec.verify.Outcome;
import dev.quickwater.http1.Http1Exception;
import dev.quickwater.http1.Parsing;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every Transfer-Encoding is refused, with 400 or 501, except a single `chunked` in HTTP/1.1
/// without a Content-Length (CVE-2026-42581, -42585, -89044, -93573).
final class TransferEncodingMatrixTest {

  private static final List<String> FORMS =
      List.of(
          "chunked, chunked",
          "chunked, xchunked",
          "xchunked",
          "chunked,",
          ",chunked",
          "chunked;q=1",
          "chunked;",
          "\"chunked\"",
          "chunked\u000b",
          "chunked\u0000",
          "chunke",
          "chunkedd",
          "c hunked",
          "gzip",
          "gzip, chunked",
          "chunked, gzip",
          "identity",
          "chunked identity",
          "",
          "chunked\r\nTransfer-Encoding: chunked",
          "gzip\r\nTransfer-Encoding: chunked",
          "chunked\r\nX: y\r\nTransfer-Encoding: identity",
          "chunked\r\n ",
          "chunked\r\n ,gzip");

  @Test
  void everyOtherFormIsRefused() {
    for (String version : List.of("HTTP/1.1", "HTTP/1.0")) {
      for (String length : List.of("", "Content-Length: 3\r\n")) {
        for (String form : FORMS) {
          refused(version, length, form);
        }
      }
    }
  }

  @Test
  void chunkedIsRefusedInTheOldVersionAndWithALength() {
    refused("HTTP/1.0", "", "chunked");
    refused("HTTP/1.0", "Content-Length: 3\r\n", "chunked");
    refused("HTTP/1.1", "Content-Length: 3\r\n", "chunked");
  }

  @Test
  void unknownCodingBeforeChunkedIsNotImplemented() {
    for (String form : List.of("gzip, chunked", "xchunked ,\tchunked", "a,b,Chunked")) {
      Parsing.refused(501, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + form + "\r\n\r\n");
    }
  }

  @Test
  void finalCodingThatIsNotChunkedIsMalformed() {
    for (String form :
        List.of(
            "gzip",
            "identity",
            "xchunked",
            "chunked, gzip",
            "chunked;q=1",
            "",
            "chunked, chunked",
            "gzip, chunked, chunked",
            ", chunked",
            "\"gzip\", chunked")) {
      Parsing.refused(400, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + form + "\r\n\r\n");
    }
  }

  @Test
  void chunkedIsReadInAnyCase() {
    for (String form : List.of("chunked", "Chunked", " CHUNKED\t")) {
      accepted("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:" + form + "\r\n\r\n0\r\n\r\n");
    }
  }

  private static void refused(String version, String length, String form) {
    for (boolean lengthFirst : new boolean[] {true, false}) {
      String coding = "Transfer-Encoding: " + form + "\r\n";
      String text =
          "POST / "
              + version
              + "\r\nHost: a\r\n"
              + (lengthFirst ? length + coding : coding + length)
              + "\r\n0\r\n\r\n";
      Outcome outcome = of(text);
      Http1Exception e = assertInstanceOf(Http1Exception.class, outcome.failure(), text);
      assertTrue(e.status().code() == 400 || e.status().code() == 501, text);
    }
  }
}
