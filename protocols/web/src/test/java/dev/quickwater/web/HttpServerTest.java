package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"nio", "epoll"})
final class HttpServerTest {

  private final String transport;

  HttpServerTest(String transport) {
    this.transport = transport;
  }

  private RunningServer paths() {
    return Servers.start(transport, x -> x.respond(HttpResponse.text(x.request().path())));
  }

  @Test
  void answersOnTheTransportThatWasAskedFor() throws Exception {
    try (RunningServer server = paths()) {
      assertEquals(transport, server.transport().name());
      assertEquals("/x", Wire.get(server, "/x").text());
      assertEquals(server.port(), server.address().getPort());
    }
  }

  @Test
  void oneConnectionCarriesManyRequests() throws Exception {
    try (RunningServer server = paths();
        Wire wire = new Wire(server)) {
      for (int i = 0; i < 1000; i++) {
        assertEquals(
            "/" + i, wire.send("GET /" + i + " HTTP/1.1\r\nHost:\r\n\r\n").answer().text());
      }
      wire.send("GET /p HTTP/1.1\r\nHost:\r\n\r\n".repeat(1000));
      for (int i = 0; i < 1000; i++) {
        assertEquals("/p", wire.answer().text());
      }
    }
  }

  @Test
  void settingsInEffectAreReadable() {
    HttpServerSettings settings =
        HttpServerSettings.DEFAULT
            .withLoops(new LoopSettings(1, transport))
            .withMaxConnections(3)
            .withDrainTimeout(Duration.ofSeconds(5));
    try (RunningServer server =
        HttpServer.create(x -> x.respond(HttpResponse.text("x"))).with(settings).listen(0)) {
      assertSame(settings, server.settings());
      assertTrue(server.settings().channel().halfClose());
      assertEquals(1, server.metrics().loops().size());
    }
  }

  @Test
  void occupiedPortIsNamed() {
    try (RunningServer server = paths()) {
      HttpServer second =
          HttpServer.create(x -> x.respond(HttpResponse.text("x"))).with(server.settings());
      int before = Thread.activeCount();
      String message =
          assertThrows(UncheckedIOException.class, () -> second.listen(server.address()))
              .getMessage();
      assertTrue(message.contains(String.valueOf(server.port())), message);
      Baseline.await("loops of the failed server ended", () -> Thread.activeCount() <= before);
    }
  }

  @Test
  void closingAgainIsHarmless() throws Exception {
    RunningServer server = paths();
    Wire.get(server, "/");
    server.close();
    server.close();
    assertTrue(server.drain());
    assertThrows(java.net.ConnectException.class, () -> new Wire(server));
  }

  @Test
  void loopsCannotWaitForThemselves() throws Exception {
    CompletableFuture<RunningServer> self = new CompletableFuture<>();
    try (RunningServer server =
        Servers.start(
            transport,
            x -> {
              String text = "closed";
              try {
                self.join().close();
              } catch (IllegalStateException e) {
                text = "refused";
              }
              x.respond(HttpResponse.text(text));
            })) {
      self.complete(server);
      assertEquals("refused", Wire.get(server, "/").text());
    }
  }

  @Test
  void settingsAreChecked() {
    HttpServerSettings settings = HttpServerSettings.DEFAULT;
    assertThrows(IllegalArgumentException.class, () -> settings.withMaxConnections(0));
    assertThrows(
        IllegalArgumentException.class, () -> settings.withDrainTimeout(Duration.ofSeconds(-1)));
  }

  @Test
  void unknownTransportIsRefused() {
    assertThrows(
        UnsupportedOperationException.class,
        () -> Servers.start("carrier-pigeon", x -> x.respond(HttpResponse.text("x"))));
  }
}
