package dev.quickwater.testsuite.http2;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A frame as it is on the wire (RFC 9113 section 4.1), with no rule about its content.
record Frame(int type, int flags, int stream, byte[] payload) {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int PRIORITY_UPDATE = 16;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  static final int PADDED = 8;

  static Frame settings(long... idsAndValues) {
    ByteBuffer payload = ByteBuffer.allocate(idsAndValues.length * 3);
    for (int i = 0; i < idsAndValues.length; i += 2) {
      payload.putShort((short) idsAndValues[i]).putInt((int) idsAndValues[i + 1]);
    }
    return new Frame(SETTINGS, 0, 0, payload.array());
  }

  static Frame settingsAck() {
    return new Frame(SETTINGS, ACK, 0, new byte[0]);
  }

  /// A whole field block in one frame.
  static Frame headers(int stream, Fields fields) {
    return new Frame(HEADERS, END_HEADERS, stream, fields.block());
  }

  static Frame data(int stream, byte[] bytes) {
    return new Frame(DATA, 0, stream, bytes);
  }

  static Frame data(int stream, int length) {
    return data(stream, new byte[length]);
  }

  static Frame continuation(int stream, byte[] bytes) {
    return new Frame(CONTINUATION, 0, stream, bytes);
  }

  static Frame reset(int stream, int code) {
    return new Frame(RST_STREAM, 0, stream, ofInt(code));
  }

  static Frame ping(long value) {
    return new Frame(PING, 0, 0, ByteBuffer.allocate(8).putLong(value).array());
  }

  static Frame windowUpdate(int stream, int increment) {
    return new Frame(WINDOW_UPDATE, 0, stream, ofInt(increment));
  }

  static Frame priority(int stream, int dependency) {
    return new Frame(
        PRIORITY, 0, stream, ByteBuffer.allocate(5).putInt(dependency).put((byte) 15).array());
  }

  /// This frame with END_STREAM.
  Frame last() {
    return withFlags(flags | END_STREAM);
  }

  Frame withFlags(int other) {
    return new Frame(type, other, stream, payload);
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /// The integer at an offset of the payload.
  int int32(int at) {
    return ByteBuffer.wrap(payload).getInt(at);
  }

  byte[] bytes() {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  static byte[] bytes(Frame... frames) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Frame frame : frames) {
      out.writeBytes(frame.bytes());
    }
    return out.toByteArray();
  }

  /// A frame many times.
  static byte[] repeated(Frame frame, int count) {
    byte[] one = frame.bytes();
    byte[] all = new byte[one.length * count];
    for (int i = 0; i < count; i++) {
      System.arraycopy(one, 0, all, i * one.length, one.length);
    }
    return all;
  }

  /// The next frame, or null at the end of the input.
  static @Nullable Frame read(DataInputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int length = first << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    return new Frame(type, flags, stream, in.readNBytes(length));
  }

  private static byte[] ofInt(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Frame frame && Arrays.equals(bytes(), frame.bytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes());
  }

  @Override
  public String toString() {
    return "type " + type + " flags " + flags + " stream " + stream + " length " + payload.length;
  }
}
