package dev.quickwater.microbench.e2e;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Posts a body of any size to `/echo` over a plain socket and reads it back meanwhile, holding
/// none of it.
final class EchoClient {

  private static final int PIECE = 1 << 16;
  private static final String LENGTH = "content-length: ";

  private EchoClient() {}

  /// Returns how many bytes of body came back.
  static long echo(InetSocketAddress address, long size, boolean chunked) throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      Thread writer =
          Thread.ofPlatform().daemon().start(() -> write(socket, address, size, chunked));
      InputStream in = new BufferedInputStream(socket.getInputStream(), PIECE);
      long received = read(in);
      try {
        writer.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return received;
    }
  }

  private static void write(Socket socket, InetSocketAddress address, long size, boolean chunked) {
    byte[] piece = new byte[PIECE];
    try {
      OutputStream out = socket.getOutputStream();
      String framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + size;
      ascii(
          out,
          "POST /echo HTTP/1.1\r\nHost: "
              + address.getHostString()
              + "\r\n"
              + framing
              + "\r\n\r\n");
      for (long left = size; left > 0; ) {
        int n = (int) Math.min(left, PIECE);
        if (chunked) {
          ascii(out, Integer.toHexString(n) + "\r\n");
        }
        out.write(piece, 0, n);
        if (chunked) {
          ascii(out, "\r\n");
        }
        left -= n;
      }
      if (chunked) {
        ascii(out, "0\r\n\r\n");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ascii(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static long read(InputStream in) throws IOException {
    String status = line(in);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException("the server answered " + status);
    }
    long length = -1;
    for (String field = line(in); !field.isEmpty(); field = line(in)) {
      if (field.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Long.parseLong(field.substring(LENGTH.length()).strip());
      }
    }
    if (length >= 0) {
      in.skipNBytes(length);
      return length;
    }
    long received = 0;
    for (long n = chunk(in); n > 0; n = chunk(in)) {
      in.skipNBytes(n);
      received += n;
      var _ = line(in);
    }
    return received;
  }

  private static long chunk(InputStream in) throws IOException {
    String size = line(in);
    int end = size.indexOf(';');
    return Long.parseLong(end < 0 ? size : size.substring(0, end), 16);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the connection ended after '" + text + "'");
      }
      if (b != '\r') {
        text.append((char) b);
      }
    }
    return text.toString();
  }
}
