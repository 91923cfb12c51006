package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;

/// Our encoder of header blocks.
public final class OurEncoder {

  private final HpackEncoder encoder;

  /// A new connection.
  public OurEncoder(int tableSize, int huffmanThreshold) {
    encoder = new HpackEncoder(tableSize, huffmanThreshold);
  }

  /// Appends the block of a message.
  public void encode(OurMessage message, ByteBuf out) {
    encoder.begin(out);
    for (int i = 0; i < message.pseudoCount(); i++) {
      encoder.pseudo(out, message.pseudo(i), message.pseudoValue(i));
    }
    encoder.fields(out, message.headers());
  }
}
