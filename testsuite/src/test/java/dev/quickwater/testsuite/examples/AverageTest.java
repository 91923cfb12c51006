package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.examples.Average;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class AverageTest {

  @Test
  void averageIsAnsweredAndFaultsAreOfTheClient() throws Exception {
    try (RunningServer server =
            HttpServer.create(Average.routes())
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpClient client = HttpClient.create()) {
      String uri = "http://127.0.0.1:" + server.port() + "/average";
      assertEquals("[2.5]", post(client, uri, "application/json", " [1, 2, 4.5] ").text());
      assertEquals(400, post(client, uri, "application/json", "[1, x]").status().code());
      assertEquals(400, post(client, uri, "application/json", "{}").status().code());
      assertEquals(415, post(client, uri, "text/plain", "[1]").status().code());
      String large = "[" + "1,".repeat(40_000) + "1]";
      assertEquals(413, post(client, uri, "application/json", large).status().code());
    }
  }

  private static HttpResponse post(HttpClient client, String uri, String type, String body)
      throws Exception {
    return client
        .blocking()
        .send(HttpRequest.post(uri, type, body.getBytes(StandardCharsets.UTF_8)));
  }
}
