package dev.quickwater.microbench.e2e.server.http2;

import dev.quickwater.microbench.e2e.server.Plaintext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;

/// The responses in Netty's types.
///
/// The read-only header block is Netty's cheapest, renewed by the loop once a second; the bodies
/// are native, so that nothing is copied on the way to the socket.
final class NettyAnswers {

  /// A response; its head is replaced when the date changes.
  static final class Answer {

    private final AsciiString length;
    private final ByteBuf body;
    private Http2Headers head;

    private Answer(byte[] bytes) {
      length = AsciiString.cached(String.valueOf(bytes.length));
      body =
          Unpooled.unreleasableBuffer(
              Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
      head = head(length);
    }

    private static Http2Headers head(AsciiString length) {
      return ReadOnlyHttp2Headers.serverHeaders(
          false,
          AsciiString.cached("200"),
          AsciiString.cached("content-type"),
          AsciiString.cached(Plaintext.TYPE),
          AsciiString.cached("server"),
          AsciiString.cached(Plaintext.SERVER),
          AsciiString.cached("content-length"),
          length,
          AsciiString.cached("date"),
          new AsciiString(Plaintext.date()));
    }

    Http2Headers head() {
      return head;
    }

    ByteBuf body() {
      return body.duplicate();
    }
  }

  private final Answer small = new Answer(Answers.small());
  private final Answer large = new Answer(Answers.large());

  /// Called by the loop once a second.
  void refreshDate() {
    small.head = Answer.head(small.length);
    large.head = Answer.head(large.length);
  }

  /// The response for the path of a request; any other path than the large one gets the small one,
  /// because the load generator requests no other.
  Answer to(Http2Headers request) {
    return AsciiString.contentEquals(request.path(), Answers.LARGE_PATH) ? large : small;
  }
}
