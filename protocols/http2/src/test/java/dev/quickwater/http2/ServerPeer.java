package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A server of a client with one connection: sends frames, and reads those of the client as text.
final class ServerPeer implements AutoCloseable {

  /// Faults of the server are expected.
  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF);
  }

  final Http2ClientHandler client;
  private final EmbeddedChannel channel;
  private final HpackEncoder encoder = new HpackEncoder(0);
  private final List<String> lines = new ArrayList<>();
  private final FrameNotes notes = new FrameNotes(lines::add);
  private final FrameReader reader = new FrameReader(notes, 1 << 14, 1 << 16, 16);
  private boolean prefaceRead;

  ServerPeer(Http2Settings settings) {
    this(settings, null);
  }

  ServerPeer(Http2Settings settings, @Nullable PushListener pushes) {
    client = new Http2ClientHandler(settings, Http2ClientHandler.USUAL_STREAMS, pushes);
    channel =
        new EmbeddedChannel(
            ChannelSettings.DEFAULT.withHalfClose(true), made -> made.pipeline().addLast(client));
    send(Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, Frames.ACK, 0));
  }

  ServerPeer send(byte[]... frames) {
    channel.send(ByteBuf.wrap(Frame.join(frames)));
    channel.runTasks();
    return this;
  }

  ServerPeer headers(int stream, String... fields) {
    return send(Frame.of(Frames.HEADERS, Frames.END_HEADERS, stream, block(fields)));
  }

  ServerPeer lastHeaders(int stream, String... fields) {
    int flags = Frames.END_HEADERS | Frames.END_STREAM;
    return send(Frame.of(Frames.HEADERS, flags, stream, block(fields)));
  }

  byte[] block(String... fields) {
    return Blocks.encode(encoder, List.of(fields));
  }

  ServerPeer data(int stream, String text) {
    return send(Frame.of(Frames.DATA, 0, stream, Blocks.bytes(text)));
  }

  ServerPeer lastData(int stream, String text) {
    return send(Frame.of(Frames.DATA, Frames.END_STREAM, stream, Blocks.bytes(text)));
  }

  ClientExchange open(RequestHead head) {
    Future<ClientExchange> opened = client.connection().open(head);
    channel.runTasks();
    return opened.value();
  }

  ServerPeer advance(Duration time) {
    channel.advance(time);
    return this;
  }

  /// The frames since the last call.
  List<String> received() throws Http2Exception {
    channel.runTasks();
    ByteBuf sent = channel.takeSent();
    if (!prefaceRead) {
      prefaceRead = true;
      sent.skip(Http2Engine.PREFACE.length);
    }
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
  List<String> received(int stream) throws Http2Exception {
    return received().stream()
        .map(line -> line.startsWith("headers ") ? line.replaceAll(" [0-9a-f]{4,}", "") : line)
        .filter(line -> line.matches("(headers|data|reset|window) " + stream + "( .*)?"))
        .toList();
  }

  boolean isConnected() {
    return !channel.isClosed() && !channel.isOutputEnded();
  }

  @Override
  public void close() {
    channel.close();
  }
}
