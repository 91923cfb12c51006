package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A peer that pipelines requests for one file without end, and reads the answers as fast as it
/// can.
final class PipelineFlood implements AutoCloseable {

  private static final int BATCH = 512;
  private static final int PIECE = 1 << 16;

  private final Socket socket;
  private final Thread writer;
  private final Thread reader;
  private volatile long received;

  /// Starts to send requests for `path`.
  PipelineFlood(InetSocketAddress address, String path) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    String request = "GET " + path + " HTTP/1.1\r\nHost: " + address.getHostString() + "\r\n\r\n";
    byte[] batch = request.repeat(BATCH).getBytes(StandardCharsets.US_ASCII);
    OutputStream out = socket.getOutputStream();
    InputStream in = socket.getInputStream();
    writer = Thread.ofPlatform().daemon().start(() -> write(out, batch));
    reader = Thread.ofPlatform().daemon().start(() -> read(in));
  }

  private static void write(OutputStream out, byte[] batch) {
    try {
      while (true) {
        out.write(batch);
      }
    } catch (IOException _) {
      // closed by this side, or by a server that defends itself
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void read(InputStream in) {
    byte[] piece = new byte[PIECE];
    try {
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        received += n;
      }
    } catch (IOException _) {
      // as above
    }
  }

  /// Bytes of answers so far.
  long received() {
    return received;
  }

  @Override
  public void close() throws IOException {
    socket.close();
    try {
      writer.join();
      reader.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
