package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BlockingClientTest {

  private static final HttpClientSettings SETTINGS =
      HttpClientSettings.DEFAULT.withLoops(new LoopSettings(1, "nio"));

  private static String uri(RunningServer server) {
    return "http://127.0.0.1:" + server.port() + "/";
  }

  @Test
  void getAndSendReturnWholeResponses() throws Exception {
    try (RunningServer server =
            Servers.start("nio", x -> x.respond(HttpResponse.text(x.request().method().name())));
        HttpClient client = HttpClient.create(SETTINGS)) {
      assertEquals("GET", client.blocking().get(uri(server)).text());
      assertEquals(
          "POST", client.blocking().send(HttpRequest.post(uri(server), "a/b", new byte[1])).text());
    }
  }

  @Test
  void bodiesStreamBothWays() throws Exception {
    byte[] body = new byte[5_000_000];
    new Random(1).nextBytes(body);
    try (RunningServer server =
            Servers.start(
                "nio", x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))));
        HttpClient client = HttpClient.create(SETTINGS)) {
      RequestHead head =
          RequestHead.builder(HttpMethod.POST, uri(server))
              .contentLength(RequestHead.UNKNOWN_LENGTH)
              .build();
      try (BlockingResponse response =
          client
              .blocking()
              .open(
                  head,
                  out -> {
                    out.write(body);
                    out.trailers(HttpHeaders.of("t", "1"));
                  })) {
        assertEquals(HttpStatus.OK, response.head().status());
        assertArrayEquals(body, response.body().readAllBytes());
        assertEquals("1", response.trailers().get("t"));
      }
    }
  }

  @Test
  void closeBeforeTheEndResets() throws Exception {
    try (RunningServer server =
            Servers.start(
                "nio",
                x ->
                    x.respond(
                        HttpResponse.stream(
                            ResponseHead.of(HttpStatus.OK),
                            out -> {
                              while (true) {
                                out.write(new byte[1000]);
                              }
                            })));
        HttpClient client = HttpClient.create(SETTINGS)) {
      try (BlockingResponse response = client.blocking().open(RequestHead.get(uri(server)))) {
        assertEquals(1000, response.body().readNBytes(1000).length);
      }
      Baseline.await("the connection closes", () -> server.connections() == 0);
    }
  }

  @Test
  void writerThatFailsResets() throws Exception {
    try (RunningServer server =
            Servers.start(
                "nio", x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))));
        HttpClient client = HttpClient.create(SETTINGS)) {
      RequestHead head =
          RequestHead.builder(HttpMethod.POST, uri(server)).contentLength(10).build();
      assertThrows(
          IOException.class,
          () ->
              client
                  .blocking()
                  .open(
                      head,
                      _ -> {
                        throw new IOException("fault of the test");
                      }));
    }
  }

  @Test
  void truncatedBodyFailsTheRead() throws Exception {
    try (RunningServer server =
            Servers.start(
                "nio",
                x -> {
                  var out = x.respond(ResponseHead.of(HttpStatus.OK).withLength(10));
                  out.write(
                      x.loop()
                          .allocator()
                          .allocate(3)
                          .writeBytes("abc".getBytes(StandardCharsets.UTF_8)));
                  out.flush();
                  x.reset(dev.quickwater.http.ResetCode.CANCEL);
                });
        HttpClient client = HttpClient.create(SETTINGS);
        BlockingResponse response = client.blocking().open(RequestHead.get(uri(server)))) {
      assertThrows(IOException.class, () -> response.body().readAllBytes());
    }
  }

  @Test
  void openFollowsRedirects() throws Exception {
    Routes routes =
        new Routes()
            .get("/a", x -> x.respond(HttpResponse.of(HttpStatus.FOUND, "location", "/b")))
            .get("/b", x -> x.respond(HttpResponse.text("there")));
    try (RunningServer server = Servers.start("nio", routes);
        HttpClient client = HttpClient.create(SETTINGS);
        BlockingResponse response = client.blocking().open(RequestHead.get(uri(server) + "a"))) {
      assertEquals("there", new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
      assertEquals(1, server.connections(), "the connection of the redirect is reused");
    }
  }

  @Test
  void bodyNeedsAWriter() {
    try (HttpClient client = HttpClient.create(SETTINGS)) {
      RequestHead head =
          RequestHead.builder(HttpMethod.POST, "http://127.0.0.1/").contentLength(1).build();
      assertThrows(IllegalArgumentException.class, () -> client.blocking().open(head));
    }
  }
}
