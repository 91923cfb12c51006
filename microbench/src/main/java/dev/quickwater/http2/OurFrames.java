package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;

/// Our writer of frames.
public final class OurFrames {

  private final HpackEncoder encoder = new HpackEncoder(4096);

  /// Appends a HEADERS frame.
  public void headers(ByteBuf out, int stream, OurMessage message) {
    int start = FrameWriter.beginHeaders(out);
    encoder.begin(out);
    for (int i = 0; i < message.pseudoCount(); i++) {
      encoder.pseudo(out, message.pseudo(i), message.pseudoValue(i));
    }
    encoder.fields(out, message.headers());
    FrameWriter.endHeaders(out, start, stream, Frames.MIN_MAX_SIZE, false);
  }

  /// Appends the header of a DATA frame.
  public void data(ByteBuf out, int stream, int length) {
    FrameWriter.data(out, stream, length, true);
  }

  /// Appends a PING, a SETTINGS acknowledgement, a WINDOW_UPDATE and a RST_STREAM frame.
  public void control(ByteBuf out, int stream) {
    FrameWriter.ping(out, stream, true);
    FrameWriter.settingsAck(out);
    FrameWriter.windowUpdate(out, stream, 1 << 15);
    FrameWriter.reset(out, stream, ErrorCode.CANCEL);
  }
}
