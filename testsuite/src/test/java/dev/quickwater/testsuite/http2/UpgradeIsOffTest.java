package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// An upgrade to h2c passes by proxies that do not know it, so the server ignores it by default.
final class UpgradeIsOffTest {

  private static final String UPGRADE =
      "GET /plaintext HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
          + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";

  private static String exchange(Target target, String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), target.port())) {
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void requestIsAnsweredInItsVersion() throws Exception {
    try (Target target = new Target()) {
      String last = "GET /plaintext HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      String answers = exchange(target, UPGRADE + last);
      assertTrue(answers.startsWith("HTTP/1.1 200"), answers);
      assertEquals(2, answers.split("Hello, World!", -1).length - 1, answers);
    }
  }

  /// A preface after a request of HTTP/1.1 is no second protocol on the same connection.
  @Test
  void prefaceInTheMiddleOfConnectionIsRefused() throws Exception {
    try (Target target = new Target()) {
      String preface = new String(RawPeer.PREFACE, StandardCharsets.US_ASCII);
      String answers = exchange(target, "GET /plaintext HTTP/1.1\r\nHost: a\r\n\r\n" + preface);
      assertTrue(answers.contains("HTTP/1.1 400") || answers.contains("HTTP/1.1 505"), answers);
    }
  }
}
