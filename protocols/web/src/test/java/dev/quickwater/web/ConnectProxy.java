package dev.quickwater.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A proxy for CONNECT that shares no code with ours: blocking sockets and virtual threads. Each
/// tunnel leads to the port of the authority on 127.0.0.1.
final class ConnectProxy implements AutoCloseable {

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /// The first line of each request.
  final List<String> requests = new CopyOnWriteArrayList<>();

  ConnectProxy() throws IOException {
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket front = listener.accept();
        open.add(front);
        Thread.ofVirtual().start(() -> serve(front));
      }
    } catch (IOException _) {
      // the end of the test
    }
  }

  private void serve(Socket front) {
    try {
      String head = head(front.getInputStream());
      String line = head.substring(0, head.indexOf('\r'));
      requests.add(line);
      int port = Integer.parseInt(line.substring(line.indexOf(':') + 1, line.lastIndexOf(' ')));
      Socket back = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
      open.add(back);
      front.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread.ofVirtual().start(() -> copy(back, front));
      copy(front, back);
    } catch (IOException _) {
      // the end of the test
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the client closed the connection");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void copy(Socket from, Socket to) {
    try {
      OutputStream out = to.getOutputStream();
      from.getInputStream().transferTo(out);
      to.shutdownOutput();
    } catch (IOException _) {
      // one of the sides has closed
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
