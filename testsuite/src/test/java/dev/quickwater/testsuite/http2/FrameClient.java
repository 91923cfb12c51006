package dev.quickwater.testsuite.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http2.ErrorCode;
import dev.quickwater.http2.FrameHandler;
import dev.quickwater.http2.FrameReader;
import dev.quickwater.http2.FrameWriter;
import dev.quickwater.http2.Frames;
import dev.quickwater.http2.HeaderBlockDecoder;
import dev.quickwater.http2.HeaderBlockEncoder;
import dev.quickwater.http2.Http2Exception;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;

/// A client of frames over a blocking socket, without a channel: what it receives are lines of
/// text.
final class FrameClient implements AutoCloseable, FrameHandler {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final Socket socket;
  private final FrameReader reader = new FrameReader(this, Frames.MIN_MAX_SIZE, 1 << 16, 16);
  private final HeaderBlockEncoder encoder = new HeaderBlockEncoder();
  private final HeaderBlockDecoder decoder = new HeaderBlockDecoder();
  private final ByteBuf in = ByteBufAllocator.shared().allocate(1 << 10);
  private final ArrayDeque<String> events = new ArrayDeque<>();

  FrameClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    send(out -> {
      out.writeAscii(PREFACE);
      FrameWriter.settings(out, 2, 0);
    });
  }

  /// Writes frames.
  interface Frame {
    void writeTo(ByteBuf out);
  }

  void send(Frame frames) throws IOException {
    ByteBuf out = ByteBufAllocator.shared().allocate(256);
    try {
      frames.writeTo(out);
      socket.getOutputStream().write(out.readBytes(out.readableBytes()));
    } finally {
      out.release();
    }
  }

  /// Sends HEADERS with the fields that `fields` writes.
  void sendHeaders(int stream, boolean endStream, BiConsumer<HeaderBlockEncoder, ByteBuf> fields)
      throws IOException {
    ByteBuf block = ByteBufAllocator.shared().allocate(256);
    try {
      encoder.begin(block);
      fields.accept(encoder, block);
      send(out -> FrameWriter.headers(out, stream, block, Frames.MIN_MAX_SIZE, endStream));
    } finally {
      block.release();
    }
  }

  /// The next event whose text begins with `prefix`; earlier ones are dropped.
  String await(String prefix) throws IOException, Http2Exception {
    while (true) {
      while (!events.isEmpty()) {
        String event = events.remove();
        if (event.startsWith(prefix)) {
          return event;
        }
      }
      receive();
    }
  }

  private void receive() throws IOException, Http2Exception {
    byte[] bytes = new byte[1 << 10];
    InputStream from = socket.getInputStream();
    int count = from.read(bytes);
    if (count < 0) {
      throw new EOFException("the server has closed the connection");
    }
    in.writeBytes(bytes, 0, count);
    boolean more = true;
    while (more) {
      more = reader.read(in);
    }
    in.discardRead();
  }

  @Override
  public void close() throws IOException {
    in.release();
    socket.close();
  }

  @Override
  public void data(int stream, ByteBuf bytes, int padding, boolean endStream) {
    String text = bytes.readString(bytes.readableBytes(), StandardCharsets.ISO_8859_1);
    bytes.release();
    events.add("data " + stream + " " + text + (endStream ? " end" : ""));
  }

  @Override
  public void headers(int stream, byte[] block, int length, boolean endStream)
      throws Http2Exception {
    StringBuilder text = new StringBuilder("headers " + stream);
    decoder.decode(block, length, field -> text.append(" ").append(field));
    events.add(text + (endStream ? " end" : ""));
  }

  @Override
  public void malformedHeaders(byte[] block, int length) throws Http2Exception {
    decoder.decode(block, length, _ -> {});
  }

  @Override
  public void pushPromise(int stream, int promised, byte[] block, int length)
      throws Http2Exception {
    throw Http2Exception.connection(ErrorCode.PROTOCOL_ERROR, "push is disabled");
  }

  @Override
  public void reset(int stream, int code) {
    events.add("reset " + stream + " " + ErrorCode.of(code));
  }

  @Override
  public void setting(int id, long value) {
    events.add("setting " + id + " " + value);
  }

  @Override
  public void settingsEnd() {
    events.add("settings");
  }

  @Override
  public void settingsAck() {
    events.add("settings ack");
  }

  @Override
  public void ping(long data) {
    events.add("ping " + data);
  }

  @Override
  public void pingAck(long data) {
    events.add("ping ack " + data);
  }

  @Override
  public void goAway(int lastStream, int code, String debug) {
    events.add("goaway " + lastStream + " " + ErrorCode.of(code) + " " + debug);
  }

  @Override
  public void windowUpdate(int stream, int increment) {
    events.add("window " + stream + " " + increment);
  }

  @Override
  public void priorityUpdate(int stream, String value) {}

  @Override
  public void ignored(int type, int length) {}
}
