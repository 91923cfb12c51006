package dev.quickwater.testsuite.http2;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A client that sends frames as it is told and obeys no rule.
///
/// It acknowledges settings when it reads them and grants the server windows so large that the
/// server never waits, unless the test opens it otherwise.
final class RawPeer implements AutoCloseable {

  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int TIMEOUT_MILLIS = 15_000;
  private static final int HUGE_WINDOW = 1 << 30;

  /// Identifiers of settings (RFC 9113 section 6.5.2).
  static final int HEADER_TABLE_SIZE = 1;

  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME_SIZE = 5;
  static final int MAX_HEADER_LIST_SIZE = 6;

  private final Socket socket;
  private final DataInputStream in;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private int goAway = -1;
  private boolean acknowledging = true;

  private RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
  }

  /// A connection without a byte sent.
  static RawPeer silent(int port) throws IOException {
    Socket socket = new Socket();
    try {
      // Small, so that the answers to a client that does not read soon wait in the server.
      socket.setReceiveBufferSize(1 << 14);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new RawPeer(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// A connection that has sent the preface with these settings alone.
  static RawPeer withSettings(int port, long... idsAndValues) throws IOException {
    RawPeer peer = silent(port);
    peer.send(PREFACE);
    peer.send(Frame.settings(idsAndValues));
    return peer;
  }

  /// A connection with an empty table for responses and very large windows.
  static RawPeer connect(int port) throws IOException {
    RawPeer peer = withSettings(port, HEADER_TABLE_SIZE, 0, INITIAL_WINDOW_SIZE, HUGE_WINDOW);
    peer.send(Frame.windowUpdate(0, HUGE_WINDOW));
    return peer;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void send(Frame... frames) throws IOException {
    send(Frame.bytes(frames));
  }

  /// Sends unless the server has closed the connection.
  ///
  /// @return false if it has
  boolean trySend(byte[] bytes) {
    try {
      send(bytes);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Does not acknowledge settings that it reads.
  RawPeer withoutAcknowledgements() {
    acknowledging = false;
    return this;
  }

  /// Everything that the server sends until it closes, as text.
  String text() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /// Ends the sending direction.
  void finish() throws IOException {
    socket.shutdownOutput();
  }

  /// Closes with a reset of the TCP connection.
  void abort() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /// The next frame, or null if the connection is closed or reset. Settings are acknowledged.
  ///
  /// @throws java.net.SocketTimeoutException if nothing comes within 15 s
  @Nullable Frame next() throws IOException {
    Frame frame;
    try {
      frame = Frame.read(in);
    } catch (EOFException | SocketException _) {
      return null;
    }
    if (frame == null) {
      return null;
    }
    if (acknowledging && frame.type() == Frame.SETTINGS && !frame.has(Frame.ACK)) {
      var _ = trySend(Frame.settingsAck().bytes());
    } else if (frame.type() == Frame.GOAWAY) {
      goAway = frame.int32(4);
    }
    return frame;
  }

  /// The error code of the last GOAWAY that was read, or -1.
  int goAway() {
    return goAway;
  }

  /// How a stream ends: the status of its response, such as `200`, or `reset CODE`; if the
  /// connection ends first, `goaway CODE`, or `closed` if no GOAWAY with an error came.
  String outcome(int stream) throws IOException {
    int status = 0;
    body.reset();
    while (true) {
      Frame frame = next();
      if (frame == null) {
        return goAway > 0 ? "goaway " + goAway : "closed";
      }
      if (frame.stream() != stream) {
        continue;
      }
      switch (frame.type()) {
        case Frame.RST_STREAM -> {
          return "reset " + frame.int32(0);
        }
        case Frame.HEADERS -> status = status < 200 ? StatusField.of(frame.payload()) : status;
        case Frame.DATA -> body.writeBytes(frame.payload());
        default -> {
          continue;
        }
      }
      if (frame.has(Frame.END_STREAM)) {
        return String.valueOf(status);
      }
    }
  }

  /// The bytes of DATA frames that the last [#outcome] read.
  String body() {
    return body.toString(StandardCharsets.ISO_8859_1);
  }

  /// Sends a GET and reads its outcome.
  String get(int stream, String path) throws IOException {
    send(Frame.headers(stream, Fields.get(path)).last());
    return outcome(stream);
  }

  /// Reads until the connection ends.
  ///
  /// @return `goaway CODE`, or `closed` if no GOAWAY with an error came
  String end() throws IOException {
    while (next() != null) {}
    return goAway > 0 ? "goaway " + goAway : "closed";
  }

  /// Reads until an acknowledged PING shows that the server has processed what was sent.
  ///
  /// @return false if the connection ended first
  boolean roundTrip() throws IOException {
    if (!trySend(Frame.ping(0x5157).bytes())) {
      return false;
    }
    Frame frame;
    while ((frame = next()) != null) {
      if (frame.type() == Frame.PING && frame.has(Frame.ACK) && frame.int32(4) == 0x5157) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
