package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;

/// Writes one line of text for each frame. The parts of a DATA frame are one line.
final class FrameNotes implements FrameHandler {

  private final Consumer<? super String> lines;
  private final StringBuilder data = new StringBuilder();
  private int padding;
  private int dataStream;

  FrameNotes(Consumer<? super String> lines) {
    this.lines = lines;
  }

  private void note(String line) {
    flush();
    lines.accept(line);
  }

  /// Ends the line of DATA frames.
  void flush() {
    if (dataStream != 0) {
      lines.accept("data " + dataStream + " " + data + " padding " + padding);
      data.setLength(0);
      padding = 0;
      dataStream = 0;
    }
  }

  @Override
  public void data(int stream, ByteBuf bytes, int pad, boolean endStream) {
    if (stream != dataStream) {
      flush();
    }
    dataStream = stream;
    data.append(Blocks.latin(bytes.readBytes(bytes.readableBytes())));
    bytes.release();
    padding += pad;
    if (endStream) {
      data.append(" end");
      flush();
    }
  }

  private static String hex(byte[] block, int length) {
    return HexFormat.of().formatHex(Arrays.copyOf(block, length));
  }

  @Override
  public void headers(int stream, byte[] block, int length, boolean endStream) {
    note("headers " + stream + " " + hex(block, length) + (endStream ? " end" : ""));
  }

  @Override
  public void malformedHeaders(byte[] block, int length) {
    note("malformed headers " + hex(block, length));
  }

  @Override
  public void pushPromise(int stream, int promised, byte[] block, int length) {
    note("promise " + stream + " " + promised + " " + hex(block, length));
  }

  @Override
  public void reset(int stream, int code) {
    note("reset " + stream + " " + ErrorCode.of(code));
  }

  @Override
  public void setting(int id, long value) {
    note("setting " + id + " " + value);
  }

  @Override
  public void settingsEnd() {
    note("settings end");
  }

  @Override
  public void settingsAck() {
    note("settings ack");
  }

  @Override
  public void ping(long value) {
    note("ping " + value);
  }

  @Override
  public void pingAck(long value) {
    note("ping ack " + value);
  }

  @Override
  public void goAway(int lastStream, int code, String debug) {
    note("goaway " + lastStream + " " + ErrorCode.of(code) + " " + debug);
  }

  @Override
  public void windowUpdate(int stream, int increment) {
    note("window " + stream + " " + increment);
  }

  @Override
  public void priorityUpdate(int stream, String value) {
    note("priority " + stream + " " + value);
  }

  @Override
  public void ignored(int type, int length) {
    note("ignored " + type + " " + length);
  }
}
