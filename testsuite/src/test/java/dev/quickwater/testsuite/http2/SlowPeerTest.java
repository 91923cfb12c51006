package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http2.Http2Settings;
import dev.quickwater.web.VersionSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A peer that begins something and does not continue is disconnected by the deadline for heads,
/// while others are served.
final class SlowPeerTest {

  private static final Duration HEAD = Duration.ofMillis(300);

  private static Target target() {
    Http2Settings.Timeouts timeouts = Http2Settings.DEFAULT.timeouts();
    return new Target(
        VersionSettings.DEFAULT
            .withHttp1(Http1Settings.DEFAULT.withTimeouts(HEAD, Duration.ofSeconds(1)))
            .withHttp2(
                Http2Settings.DEFAULT.withTimeouts(
                    new Http2Settings.Timeouts(
                        HEAD,
                        Duration.ofSeconds(1),
                        timeouts.pingInterval(),
                        timeouts.pingTimeout(),
                        timeouts.maxAge()))));
  }

  @Test
  void beginningOfPrefaceIsNotEnough() throws Exception {
    try (Target target = target();
        RawPeer peer = RawPeer.silent(target.port())) {
      peer.send("PRI * HT".getBytes(StandardCharsets.US_ASCII));
      String text = peer.text();
      assertTrue(text.isEmpty() || text.startsWith("HTTP/1.1 408"), text);
    }
  }

  @Test
  void prefaceWithoutSettingsIsNotEnough() throws Exception {
    try (Target target = target();
        RawPeer peer = RawPeer.silent(target.port())) {
      peer.send(RawPeer.PREFACE);
      assertEquals("goaway 4", peer.withoutAcknowledgements().end());
    }
  }

  /// RFC 9113 section 6.5.3.
  @Test
  void settingsMustBeAcknowledged() throws Exception {
    try (Target target = target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.get("/hang")).last());
      assertEquals("goaway 4", peer.withoutAcknowledgements().end());
    }
  }

  @Test
  void fieldBlockMustEnd() throws Exception {
    try (Target target = target();
        RawPeer peer = target.connect()) {
      assertEquals("200", peer.get(1, "/plaintext"));
      peer.send(Frame.headers(3, Fields.get("/plaintext")).withFlags(Frame.END_STREAM));
      String end = peer.end();
      assertTrue(end.startsWith("goaway"), end);
      assertEquals(1, target.calls());
    }
  }

  @Test
  void idleConnectionIsClosed() throws Exception {
    try (Target target = target();
        RawPeer peer = target.connect()) {
      assertEquals("200", peer.get(1, "/plaintext"));
      assertEquals("closed", peer.end());
      assertEquals(0, peer.goAway(), "NO_ERROR");
    }
  }
}
