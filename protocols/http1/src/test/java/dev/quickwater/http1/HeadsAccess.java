package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;

/// The encoder for tests of other packages.
public final class HeadsAccess {

  private static final byte[] DATE = Parsing.bytes("date: d\r\n\r\n");

  private HeadsAccess() {}

  /// A head without a body, or with the length that the head announces.
  public static void response(ByteBuf out, ResponseHead head) {
    long framing = head.contentLength() < 0 ? Framing.CHUNKED : head.contentLength();
    HeadEncoder.response(out, head, framing, HeadEncoder.Persistence.IMPLIED, DATE);
  }

  public static void informational(ByteBuf out, HttpHeaders headers) {
    HeadEncoder.informational(out, HttpStatus.EARLY_HINTS, headers);
  }

  public static void lastChunk(ByteBuf out, HttpHeaders trailers) {
    HeadEncoder.lastChunk(out, trailers);
  }
}
