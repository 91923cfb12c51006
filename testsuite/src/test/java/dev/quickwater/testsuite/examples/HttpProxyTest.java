package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.examples.HttpProxy;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.BlockingResponse;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The proxy copies both bodies with trailers, and passes failures on.
final class HttpProxyTest {

  private static final LoopSettings LOOPS = new LoopSettings(1, "nio");

  private static RunningServer listen(HttpHandler handler) {
    return HttpServer.create(handler)
        .with(HttpServerSettings.DEFAULT.withLoops(LOOPS))
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private interface Body {
    void run(HttpClient client, String uri) throws Exception;
  }

  private static void proxied(HttpHandler origin, Body body) throws Exception {
    try (HttpClient client = HttpClient.create(HttpClientSettings.DEFAULT.withLoops(LOOPS));
        RunningServer back = listen(origin);
        RunningServer front =
            listen(new HttpProxy(client, new Authority("127.0.0.1", back.port())))) {
      body.run(client, "http://127.0.0.1:" + front.port() + "/path");
    }
  }

  @Test
  void responseIsPassedOn() throws Exception {
    proxied(
        x -> x.respond(HttpResponse.text(HttpStatus.NOT_FOUND, x.request().path())),
        (client, uri) -> {
          HttpResponse response = client.blocking().get(uri);
          assertEquals(HttpStatus.NOT_FOUND, response.status());
          assertEquals("/path", response.text());
        });
  }

  @Test
  void bodiesAndTrailersAreCopiedBothWays() throws Exception {
    byte[] bytes = new byte[4_000_000];
    new Random(1).nextBytes(bytes);
    proxied(
        x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))),
        (client, uri) -> {
          RequestHead head =
              RequestHead.builder(HttpMethod.POST, uri)
                  .contentLength(RequestHead.UNKNOWN_LENGTH)
                  .build();
          try (BlockingResponse response =
              client
                  .blocking()
                  .open(
                      head,
                      out -> {
                        out.write(bytes);
                        out.trailers(HttpHeaders.of("t", "1"));
                      })) {
            assertArrayEquals(bytes, response.body().readAllBytes());
            assertEquals("1", response.trailers().get("t"));
          }
        });
  }

  @Test
  void serverThatResetsIsABadGateway() throws Exception {
    proxied(
        x -> x.reset(ResetCode.CANCEL),
        (client, uri) ->
            assertEquals(
                HttpStatus.BAD_GATEWAY,
                client.blocking().send(HttpRequest.post(uri, "a/b", new byte[0])).status()));
  }

  @Test
  void truncatedBodyStaysTruncated() throws Exception {
    proxied(
        x -> {
          var out = x.respond(ResponseHead.of(HttpStatus.OK).withLength(10));
          out.write(x.loop().allocator().allocate(3).writeBytes(new byte[3]));
          out.flush();
          x.reset(ResetCode.CANCEL);
        },
        (client, uri) -> {
          try (BlockingResponse response = client.blocking().open(RequestHead.get(uri))) {
            assertThrows(IOException.class, () -> response.body().readAllBytes());
          }
        });
  }
}
