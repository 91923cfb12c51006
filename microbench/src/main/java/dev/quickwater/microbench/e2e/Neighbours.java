package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/// Well-behaved connections on the same loop: each sends a request, waits for the answer, and
/// rests.
final class Neighbours {

  private static final int CONNECTIONS = 8;
  private static final long REST_NANOS = 2_000_000;

  private final InetSocketAddress address;
  private final int answer;

  /// For a server whose whole answer to `/plaintext` has `answer` bytes.
  Neighbours(InetSocketAddress address, int answer) {
    this.address = address;
    this.answer = answer;
  }

  /// The median time from request to answer in milliseconds, over `seconds`.
  double medianMillis(int seconds) throws IOException {
    long[] times = new long[1024];
    int count = 0;
    Socket[] sockets = new Socket[CONNECTIONS];
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        sockets[i] = new Socket(address.getAddress(), address.getPort());
        sockets[i].setTcpNoDelay(true);
      }
      byte[] request =
          ("GET /plaintext HTTP/1.1\r\nHost: " + address.getHostString() + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII);
      long end = System.nanoTime() + seconds * 1_000_000_000L;
      for (int i = 0; System.nanoTime() < end; i = (i + 1) % CONNECTIONS) {
        if (count == times.length) {
          times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = exchange(sockets[i], request);
        LockSupport.parkNanos(REST_NANOS);
      }
    } finally {
      for (Socket socket : sockets) {
        if (socket != null) {
          socket.close();
        }
      }
    }
    Arrays.sort(times, 0, count);
    return times[count / 2] / 1e6;
  }

  private long exchange(Socket socket, byte[] request) throws IOException {
    long start = System.nanoTime();
    socket.getOutputStream().write(request);
    int got = socket.getInputStream().readNBytes(answer).length;
    if (got < answer) {
      throw new IOException("the server closed a connection that did no harm");
    }
    return System.nanoTime() - start;
  }
}
