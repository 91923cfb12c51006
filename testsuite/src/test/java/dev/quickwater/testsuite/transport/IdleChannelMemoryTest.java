package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The memory of an idle TCP channel with two handlers on epoll, after it has echoed a byte.
///
/// The figure is the slope between two numbers of connections, in live heap by the class histogram.
/// Tables that double in size are equally full at both numbers. The server runs in a separate JVM,
/// because objects of earlier tests would change the figure. The loop reports buffers: an idle
/// channel holds none. A figure below the band fails too: the number stays accurate.
final class IdleChannelMemoryTest {

  private static final double EXPECTED = 447;
  private static final double BAND = 0.03;
  private static final int FEW = 400;
  private static final int MANY = 1600;

  private static final List<String> FLAGS =
      List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC");

  private record Memory(long heap, long buffers) {
    static Memory of(ChildJvm server) throws Exception {
      String[] figures = server.ask("memory").split(" ", -1);
      return new Memory(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
    }
  }

  @Test
  void idleChannelTakesWhatIsKnown() throws Exception {
    List<Socket> sockets = new ArrayList<>(MANY);
    try (ChildJvm server = new ChildJvm("", FLAGS, IdleChannelProcess.class)) {
      int port = Integer.parseInt(server.line());
      open(port, sockets, FEW);
      Memory.of(server); // loads the classes of the measurement
      Memory few = Memory.of(server);
      open(port, sockets, MANY);
      Memory many = Memory.of(server);
      double channel = (double) (many.heap() - few.heap()) / (MANY - FEW);
      String figure = "%.1f bytes an idle channel".formatted(channel);
      System.out.println(figure);
      assertEquals(0, many.buffers(), "bytes of buffers");
      assertEquals(EXPECTED, channel, BAND * EXPECTED, figure);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void open(int port, List<Socket> sockets, int count) throws IOException {
    while (sockets.size() < count) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      sockets.add(socket);
      socket.getOutputStream().write(7);
      assertEquals(7, socket.getInputStream().read());
    }
  }
}
