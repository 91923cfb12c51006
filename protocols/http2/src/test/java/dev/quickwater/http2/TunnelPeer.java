package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// A client of a server with one connection: sends frames, and reads the answers as text.
final class TunnelPeer implements AutoCloseable {

  /// Failures of handlers are expected.
  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final EmbeddedChannel server;
  private final HpackEncoder encoder = new HpackEncoder(0);
  private final List<String> lines = new ArrayList<>();
  private final FrameNotes notes = new FrameNotes(lines::add);
  private final FrameReader reader = new FrameReader(notes, 1 << 14, 1 << 16, 16);

  TunnelPeer(HttpHandler handler) {
    server =
        new EmbeddedChannel(
            ChannelSettings.DEFAULT.withHalfClose(true),
            channel ->
                channel.pipeline().addLast(new Http2ServerHandler(Http2Settings.DEFAULT, handler)));
    send(Http2Engine.PREFACE, Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, 1, 0));
  }

  TunnelPeer send(byte[]... frames) {
    server.send(ByteBuf.wrap(Frame.join(frames)));
    return this;
  }

  /// Opens a stream; without END_STREAM.
  TunnelPeer request(int stream, String... fields) {
    return send(
        Frame.of(
            Frames.HEADERS, Frames.END_HEADERS, stream, Blocks.encode(encoder, List.of(fields))));
  }

  TunnelPeer connect(int stream) {
    return request(stream, ":method: CONNECT", ":authority: origin.test:443");
  }

  TunnelPeer data(int stream, String text) {
    return send(Frame.of(Frames.DATA, 0, stream, Blocks.bytes(text)));
  }

  TunnelPeer end(int stream) {
    return send(Frame.of(Frames.DATA, Frames.END_STREAM, stream));
  }

  TunnelPeer reset(int stream, ErrorCode code) {
    return send(Frame.of(Frames.RST_STREAM, 0, stream, "%08x".formatted(code.number())));
  }

  TunnelPeer window(int stream, int increment) {
    return send(Frame.of(Frames.WINDOW_UPDATE, 0, stream, "%08x".formatted(increment)));
  }

  TunnelPeer initialWindow(int size) {
    return send(Frame.of(Frames.SETTINGS, 0, 0, "0004" + "%08x".formatted(size)));
  }

  TunnelPeer advance(Duration time) {
    server.advance(time);
    return this;
  }

  TunnelPeer closeConnection() {
    server.channel().close();
    server.runTasks();
    return this;
  }

  /// The frames since the last call.
  List<String> answers() throws Http2Exception {
    server.runTasks();
    ByteBuf sent = server.takeSent();
    while (reader.read(sent)) {
      // one frame each
    }
    sent.release();
    notes.flush();
    List<String> all = List.copyOf(lines);
    lines.clear();
    return all;
  }

  /// The frames of a stream since the last call, without the contents of heads.
  List<String> answers(int stream) throws Http2Exception {
    return answers().stream()
        .map(line -> line.startsWith("headers ") ? line.replaceAll(" [0-9a-f]{4,}", "") : line)
        .filter(line -> line.matches("(headers|data|reset|window) " + stream + "( .*)?"))
        .toList();
  }

  boolean isConnected() {
    return !server.isClosed();
  }

  @Override
  public void close() {
    server.close();
  }
}
