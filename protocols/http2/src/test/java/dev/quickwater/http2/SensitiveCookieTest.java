package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A Cookie field is sensitive if one of its parts is: a proxy must not put it into a table of
/// another connection (RFC 7541 section 7.1.3).
final class SensitiveCookieTest {

  /// Two literals of the name at index 32: one without indexing, and one that is never indexed.
  @ParameterizedTest
  @ValueSource(strings = {"0f1103613d31 1f1103623d32", "1f1103613d31 0f1103623d32"})
  void isSensitiveIfAPartIs(String crumbs) throws Exception {
    List<HttpExchange> exchanges = new ArrayList<>();
    try (TunnelPeer peer = new TunnelPeer(exchanges::add)) {
      byte[] head =
          Blocks.encode(
              new HpackEncoder(0),
              List.of(":method: GET", ":scheme: http", ":path: /", ":authority: server.test"));
      byte[] block = Frame.join(head, Blocks.hex(crumbs));
      peer.send(Frame.of(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, 1, block));
      HttpHeaders headers = exchanges.getFirst().request().headers();
      int at = headers.indexOf(HeaderName.COOKIE, 0);
      assertEquals("a=1; b=2", headers.value(at));
      assertTrue(headers.isSensitive(at));
    }
  }
}
