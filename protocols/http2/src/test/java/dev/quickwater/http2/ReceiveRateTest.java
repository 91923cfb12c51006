package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.RequestHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// [ExchangeLimits#minReceiveRate] on a client.
final class ReceiveRateTest {

  private final ServerPeer server = new ServerPeer(Http2Settings.DEFAULT);
  private final List<String> events = new ArrayList<>();

  @AfterEach
  void close() {
    server.close();
  }

  private void get() {
    ClientExchange x = server.open(RequestHead.get("http://a/"));
    x.responseBody()
        .read(
            new BodyReader() {
              @Override
              public void data(ByteBuf bytes) {
                bytes.release();
                events.add("data");
                x.responseBody().read(this);
              }

              @Override
              public void end(HttpHeaders trailers) {
                events.add("end");
              }

              @Override
              public void failed(Exception cause) {
                events.add("failed");
              }
            });
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      server.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void streamOfEventsMayBeSlow() throws Exception {
    get();
    server.headers(1, ":status: 200", "content-type: text/event-stream");
    for (int i = 0; i < 10; i++) {
      pass(30);
      server.data(1, "data: x\n\n");
    }
    assertEquals(10, events.size());
    assertFalse(events.contains("failed"));
    pass(61);
    assertTrue(events.contains("failed"), "the idle timeout applies");
  }

  @Test
  void bodyOfAnnouncedLengthMustNotBeSlow() throws Exception {
    get();
    server.headers(1, ":status: 200", "content-length: 1000");
    server.data(1, "abc");
    pass(7);
    assertEquals(List.of("data", "failed"), events);
    assertEquals(List.of("headers 1 end", "reset 1 CANCEL"), server.received(1));
  }
}
