package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// A server that runs out of descriptors keeps serving its connections, pauses instead of spinning,
/// and accepts again when descriptors are released.
abstract class ExhaustionTests implements Transport {

  private static final int CONNECTIONS = 150;

  @Test
  void acceptingSurvivesAndRecovers() throws Exception {
    try (ChildJvm child =
        new ChildJvm(
            "ulimit -n 80",
            List.of("--enable-native-access=ALL-UNNAMED"),
            EchoProcess.class,
            transport())) {
      assertTrue(child.line().startsWith(transport()));
      int port = Integer.parseInt(child.line());
      List<Socket> sockets = new ArrayList<>();
      try (Socket first = new Socket(InetAddress.getLoopbackAddress(), port)) {
        echo(first);
        for (int i = 0; i < CONNECTIONS; i++) {
          Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
          socket.setSoTimeout(30_000);
          sockets.add(socket);
        }
        echo(sockets.getFirst());
        int open = settled(child);
        assertTrue(open < CONNECTIONS, open + " channels: the limit was not reached");
        assertRests(child);
        echo(sockets.getFirst());
        // When the oldest connections close, all waiting ones are served.
        List<Socket> leaving = sockets.subList(0, CONNECTIONS - 20);
        for (Socket socket : leaving) {
          socket.close();
        }
        leaving.clear();
        for (Socket socket : sockets) {
          echo(socket);
        }
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
      String log = child.end();
      assertTrue(log.lines().count() < 100, "one line a failure, not one a try: " + log);
    }
  }

  private static void echo(Socket socket) throws IOException {
    socket.getOutputStream().write('e');
    assertEquals('e', socket.getInputStream().read());
  }

  /// The number of channels once it no longer changes.
  private static int settled(ChildJvm child) throws Exception {
    int last = -1;
    while (true) {
      int now = Integer.parseInt(child.ask("channels").split(" ")[2]);
      if (now == last && now > 1) {
        return now;
      }
      last = now;
      LockSupport.parkNanos(150_000_000);
    }
  }

  private static void assertRests(ChildJvm child) throws Exception {
    long before = Long.parseLong(child.ask("turns").split(" ")[1]);
    LockSupport.parkNanos(500_000_000);
    long turns = Long.parseLong(child.ask("turns").split(" ")[1]) - before;
    assertTrue(turns < 100, turns + " turns in half a second");
  }
}
