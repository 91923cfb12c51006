package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.OutgoingBody;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An incomplete body that is delimited by the close (HTTP/1.0) ends with a reset, because a client
/// would read an orderly close as the end of the body.
final class TruncationTest {

  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final List<String> ends = new ArrayList<>();
  private final List<OutgoingBody> bodies = new ArrayList<>();
  private long now;
  private long pending;

  private final ServerEngine engine =
      new ServerEngine(
          Http1Settings.DEFAULT,
          x -> {
            bodies.add(x.respond(TestServer.head(-1)));
            bodies.getLast().write(TestServer.bytes("abc"));
          },
          (ServerIo)
              Proxy.newProxyInstance(
                  ServerIo.class.getClassLoader(),
                  new Class<?>[] {ServerIo.class},
                  (_, method, arguments) -> effect(method.getName(), arguments)),
          SharedParsers.of(loop.loop()));

  private Object effect(String name, Object[] arguments) {
    switch (name) {
      case "write" -> ((Payload) arguments[0]).release();
      case "close", "reset", "closeGracefully" -> ends.add(name);
      default -> {}
    }
    return switch (name) {
      case "loop" -> loop.loop();
      case "allocator" -> loop.loop().allocator();
      case "now" -> now;
      case "pendingBytes" -> pending;
      case "isWritable", "takeUnit" -> true;
      case "isReadingPaused", "isSecure" -> false;
      default -> "";
    };
  }

  private void request(String version, long unsent) {
    engine.start();
    engine.receive(TestServer.bytes("GET / HTTP/" + version + "\r\nHost: a\r\n\r\n"));
    pending = unsent;
    engine.readComplete();
  }

  @AfterEach
  void close() {
    engine.closed(null);
    loop.close();
  }

  @Test
  void peerThatEndsItsDirection() {
    request("1.0", 0);
    engine.endInput();
    assertEquals(List.of("reset"), ends);
  }

  @Test
  void peerThatReadsTooSlowly() {
    request("1.0", 3);
    now += TimeUnit.SECONDS.toNanos(31);
    engine.timerFired();
    assertEquals(List.of("reset"), ends);
  }

  @Test
  void peerThatReadsTheEndTooSlowly() {
    request("1.0", 3);
    bodies.getFirst().end();
    engine.readComplete();
    now += TimeUnit.SECONDS.toNanos(31);
    engine.timerFired();
    assertEquals(List.of("closeGracefully", "reset"), ends);
  }

  @Test
  void bodyInChunksNeedsNoReset() {
    request("1.1", 0);
    engine.endInput();
    assertEquals(List.of("close"), ends);
  }
}
