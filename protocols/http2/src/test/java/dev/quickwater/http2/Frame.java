package dev.quickwater.http2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// The bytes of frames.
final class Frame {

  private Frame() {}

  static byte[] of(int type, int flags, int stream, byte... payload) {
    return ByteBuffer.allocate(Frames.HEADER + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  static byte[] of(int type, int flags, int stream, String hex) {
    return of(type, flags, stream, Blocks.hex(hex));
  }

  static byte[] join(byte[]... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    return all.toByteArray();
  }
}
