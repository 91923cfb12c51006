package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.engine.EncodedHead;
import org.jspecify.annotations.Nullable;

/// The bytes of a response in memory that a loop sends again and again. A handler that answers with
/// the same [dev.quickwater.http.HttpResponse] then costs one copy instead of three: of the head,
/// the date and the body.
///
/// Heads and bodies are compared by identity: both are immutable. Only heads that were sent before
/// have an encoded form, so responses that are made for one request are never kept. The date line
/// changes once a second, and with it the bytes. Loop only.
final class KeptResponse {

  private static final byte[] NONE = {};

  /// How many other responses replace the kept one. A store of a reference costs the garbage
  /// collector a fence, so handlers with several constants must not store for each request.
  private static final int PATIENCE = 8;

  private @Nullable EncodedHead head;
  private byte[] content = NONE;
  private byte[] date = NONE;
  private byte @Nullable [] wire;
  private int others = PATIENCE;

  /// The bytes of a response with head, date and body; null if they are not known.
  byte @Nullable [] find(@Nullable EncodedHead wanted, byte[] body, byte[] line) {
    return wanted == head && body == content && line == date ? wire : null;
  }

  /// Keeps the bytes of a buffer from an index on: the encoded form of a response for which [#find]
  /// returned null.
  void sent(@Nullable EncodedHead sent, byte[] body, byte[] line, ByteBuf buffer, int from) {
    if (sent == head && body == content) {
      byte[] bytes = new byte[buffer.writerIndex() - from];
      buffer.copyToArray(from, bytes, 0, bytes.length);
      wire = bytes;
      date = line;
      others = 0;
    } else if (++others > PATIENCE) {
      others = 0;
      head = sent;
      content = body;
      wire = null;
    }
  }
}
