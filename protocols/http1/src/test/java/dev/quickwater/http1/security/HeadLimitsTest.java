package dev.quickwater.http1.security;

import static dev.quickwater.http1.Parsing.of;
import static dev.quickwater.http1.Parsing.refused;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.http1.HeadLimits;
import dev.quickwater.http1.Http1Settings;
import org.junit.jupiter.api.Test;

/// The limits of a head, which are checked before a byte beyond them is read.
final class HeadLimitsTest {

  private static final Http1Settings SMALL =
      Http1Settings.DEFAULT.withHeads(HeadLimits.DEFAULT.with(100, 1000, 10));
  private static final String HOST = "\r\nHost: a\r\n\r\n";

  private static String target(int length) {
    return "GET /" + "x".repeat(length - 1) + " HTTP/1.1" + HOST;
  }

  @Test
  void longTargetIs414() {
    assertNull(of(SMALL, target(100)).failure());
    refused(SMALL, 414, target(101));
    refused(SMALL, 414, target(10_000));
    refused(SMALL, 414, "GET /" + "x".repeat(300));
  }

  @Test
  void longMethodIsRefusedAsALongLine() {
    refused(SMALL, 414, "G".repeat(300) + " / HTTP/1.1" + HOST);
    refused(SMALL, 414, "G".repeat(300));
  }

  @Test
  void longFieldIs431() {
    refused(SMALL, 431, "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(1000) + "\r\n\r\n");
    refused(SMALL, 431, "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(1000));
    refused(SMALL, 431, "GET / HTTP/1.1\r\n" + "x".repeat(1000));
  }

  @Test
  void manyFieldsAre431() {
    assertNull(of(SMALL, "GET / HTTP/1.1\r\nHost:\r\n" + "X:\r\n".repeat(9) + "\r\n").failure());
    refused(SMALL, 431, "GET / HTTP/1.1\r\nHost:\r\n" + "X:\r\n".repeat(10) + "\r\n");
  }

  @Test
  void tinyFieldsCountMoreThanTheirBytes() {
    Http1Settings settings =
        Http1Settings.DEFAULT.withHeads(HeadLimits.DEFAULT.with(100, 1000, 1_000_000));
    refused(settings, 431, "GET / HTTP/1.1\r\nHost:\r\n" + "X:\r\n".repeat(100) + "\r\n");
  }

  @Test
  void trailersAreHeldToTheSame() {
    String head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
    refused(SMALL, 431, head + "X: " + "x".repeat(1000));
    refused(SMALL, 431, head + "X:\r\n".repeat(11) + "\r\n");
    assertNull(of(SMALL, head + "X:\r\n".repeat(10) + "\r\n").failure());
  }

  @Test
  void defaultsTakeWhatBrowsersSend() {
    assertNull(of(target(8 << 10)).failure());
    assertNull(
        of("GET / HTTP/1.1\r\nHost: a\r\nCookie: " + "x".repeat(20_000) + "\r\n\r\n").failure());
    refused(431, "GET / HTTP/1.1\r\nHost: a\r\nCookie: " + "x".repeat(33_000) + "\r\n\r\n");
  }
}
