package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLSocketFactory;

/// One plain request before any measurement: a server that answers something else is not measured.
final class PlainCheck {

  private static final byte[] REQUEST =
      "GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final String BODY = "Hello, World!";
  private static final String END = "\r\n\r\n";
  private static final int TIMEOUT_MILLIS = 10_000;
  private static final int MOST = 4096;

  private PlainCheck() {}

  /// Returns the length of the answer, which must be the same for all servers to be comparable.
  static int verify(InetSocketAddress address) throws IOException {
    try (Socket socket = connect(address)) {
      socket.getOutputStream().write(REQUEST);
      String answer = receive(socket.getInputStream());
      check(answer);
      return answer.length();
    }
  }

  /// An open connection on which one request has been answered.
  static Socket served(InetSocketAddress address) throws IOException {
    return served(connect(address));
  }

  /// An open connection over TLS on which one request has been answered.
  static Socket servedOverTls(InetSocketAddress address, SSLSocketFactory factory)
      throws IOException {
    Socket plain = connect(address);
    return served(factory.createSocket(plain, "localhost", address.getPort(), true));
  }

  private static Socket served(Socket socket) throws IOException {
    socket.getOutputStream().write(REQUEST);
    var _ = receive(socket.getInputStream());
    return socket;
  }

  /// Returns when the first byte of an answer is there.
  static void firstByte(InetSocketAddress address) throws IOException {
    try (Socket socket = connect(address)) {
      socket.getOutputStream().write(REQUEST);
      if (socket.getInputStream().read() < 0) {
        throw new IOException("the server closed the connection");
      }
    }
  }

  private static Socket connect(InetSocketAddress address) throws IOException {
    Socket socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /// Reads one answer, whose body is known to be [#BODY].
  private static String receive(InputStream in) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().endsWith(END + BODY)) {
      int b = in.read();
      if (b < 0 || answer.length() == MOST) {
        throw new IOException("the server answered '" + answer + "'");
      }
      answer.append((char) b);
    }
    return answer.toString();
  }

  private static void check(String answer) throws IOException {
    String head = answer.substring(0, answer.indexOf(END) + 2).toLowerCase(Locale.ROOT);
    boolean right =
        head.startsWith("http/1.1 200 ")
            && head.contains("\r\ncontent-type: text/plain\r\n")
            && head.contains("\r\ncontent-length: 13\r\n");
    for (String field : List.of("server", "date")) {
      right &= head.contains("\r\n" + field + ": ");
    }
    if (!right) {
      throw new IOException("the server answered '" + answer + "'");
    }
  }
}
