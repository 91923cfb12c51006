package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Without a JVM flag, Quickwater works on NIO and logs nothing.
final class NoFlagsTest {

  private static void echoes(List<String> options, String transport, String reason)
      throws Exception {
    try (ChildJvm child = new ChildJvm("", options, EchoProcess.class, transport)) {
      String choice = child.line();
      assertTrue(choice.contains(reason), choice);
      int port = Integer.parseInt(child.line());
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        byte[] much = Payloads.bytes(0, 300_000);
        Thread writer =
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    socket.getOutputStream().write(much);
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
        org.junit.jupiter.api.Assertions.assertArrayEquals(
            much, socket.getInputStream().readNBytes(much.length));
        writer.join();
      }
      assertEquals("", child.end());
    }
  }

  @Test
  void withoutAnyFlag() throws Exception {
    echoes(List.of(), "auto", "nio (instead of epoll (native access is not granted; start java");
  }

  @Test
  void withNativeAccessDenied() throws Exception {
    echoes(List.of("--illegal-native-access=deny"), "auto", "nio (instead of epoll (");
  }

  @Test
  void withNativeAccessSwitchedOff() throws Exception {
    echoes(
        List.of("--enable-native-access=ALL-UNNAMED", "-Ddev.quickwater.nativeAccess=off"),
        "auto",
        "switched off by -Ddev.quickwater.nativeAccess=off");
  }

  @Test
  void withTheOneFlagEpollIsChosenAndNothingIsLogged() throws Exception {
    echoes(List.of("--enable-native-access=ALL-UNNAMED"), "auto", "epoll (the best transport");
  }

  @Test
  void epollByNameDoesNotFallBack() throws Exception {
    try (ChildJvm child = new ChildJvm("", List.of(), EchoProcess.class, "epoll")) {
      AssertionError e = assertThrows(AssertionError.class, child::line);
      assertTrue(e.getMessage().contains("transport epoll does not work here"), e.getMessage());
      assertTrue(e.getMessage().contains("--enable-native-access"), e.getMessage());
    }
  }
}
