package dev.quickwater.web;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// A client that sends and reads exactly what a test specifies; one character is one byte.
final class Wire implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 20_000;

  final Socket socket;
  private final InputStream in;

  Wire(RunningServer server) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
  }

  record Answer(int status, String head, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.ISO_8859_1);
    }

    String field(String name) {
      for (String line : head.split("\r\n")) {
        if (line.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
          return line.substring(name.length() + 1).strip();
        }
      }
      return "";
    }
  }

  static Answer get(RunningServer server, String path, String... fields) throws IOException {
    return ask(server, "GET", path, fields);
  }

  static Answer ask(RunningServer server, String method, String path, String... fields)
      throws IOException {
    try (Wire wire = new Wire(server)) {
      wire.send(method + " " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
      for (String field : fields) {
        wire.send(field + "\r\n");
      }
      return wire.send("\r\n").answer(method.equals("HEAD"));
    }
  }

  Wire send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  Wire send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  Answer answer() throws IOException {
    return answer(false);
  }

  Answer answer(boolean toHead) throws IOException {
    String head = head();
    int status = Integer.parseInt(head.substring(9, 12));
    Answer answer = new Answer(status, head, new byte[0]);
    if (toHead || status < 200 || status == 204 || status == 304) {
      return answer;
    }
    if (answer.field("transfer-encoding").equals("chunked")) {
      return new Answer(status, head, chunks());
    }
    return new Answer(status, head, bytes(Integer.parseInt(answer.field("content-length"))));
  }

  /// Up to the empty line.
  String head() throws IOException {
    StringBuilder head = new StringBuilder();
    do {
      head.append(line()).append("\r\n");
    } while (!head.toString().endsWith("\r\n\r\n"));
    return head.toString();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException("the server closed after: " + line);
      }
      if (b == '\n') {
        return line.substring(0, line.length() - 1);
      }
      line.append((char) b);
    }
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(), 16);
      body.writeBytes(bytes(size));
      line();
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  byte[] bytes(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the server closed after " + bytes.length + " of " + length);
    }
    return bytes;
  }

  /// Reads and counts bytes until the server closes.
  long countToEnd() throws IOException {
    byte[] buffer = new byte[1 << 16];
    long count = 0;
    int read;
    while ((read = in.read(buffer)) >= 0) {
      count += read;
    }
    return count;
  }

  /// All bytes until the server closes.
  String rest() throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    try {
      in.transferTo(rest);
    } catch (java.net.SocketException _) {
      // reset
    }
    return rest.toString(StandardCharsets.ISO_8859_1);
  }

  /// True when the server closes without a further byte.
  boolean ends() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException _) {
      return true; // reset
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
