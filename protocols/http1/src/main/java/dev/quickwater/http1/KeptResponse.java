package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/// The bytes of the last response in memory that a loop has sent. A handler that answers with the
/// same [dev.quickwater.http.HttpResponse] again then costs one copy instead of three: of the head,
/// the date and the body.
///
/// Heads and bodies are compared by identity: both are immutable. The date line changes once a
/// second, and with it the bytes. They are kept from the second use on, so a response that is made
/// for one request costs three comparisons more. Loop only.
final class KeptResponse {

  private static final byte[] NONE = {};

  private @Nullable ResponseHead head;
  private byte[] content = NONE;
  private byte[] date = NONE;
  private byte @Nullable [] wire;

  /// The bytes of a response with head, date and body; null if they are not known.
  byte @Nullable [] find(ResponseHead wanted, byte[] body, byte[] line) {
    return wanted == head && body == content && line == date ? wire : null;
  }

  /// The last bytes of a buffer, from an index on, are a response that [#find] did not find.
  void sent(ResponseHead sent, byte[] body, byte[] line, ByteBuf buffer, int from) {
    if (sent == head && body == content && line == date) {
      byte[] bytes = new byte[buffer.writerIndex() - from];
      buffer.copyToArray(from, bytes, 0, bytes.length);
      wire = bytes;
    } else {
      head = sent;
      content = body;
      date = line;
      wire = null;
    }
  }
}
