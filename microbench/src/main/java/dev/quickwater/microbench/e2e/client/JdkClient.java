package dev.quickwater.microbench.e2e.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/// The client of the JDK with its default executor; as many requests in flight as there are
/// connections, bodies collected into an array.
final class JdkClient {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Meter meter;
  private final URI uri;

  private JdkClient(Load load, Meter meter) {
    this.meter = meter;
    uri = URI.create(load.uri());
  }

  /// Arguments: those of [Load].
  public static void main(String[] args) throws InterruptedException {
    Load load = Load.of(args);
    Meter meter = new Meter(load);
    JdkClient client = new JdkClient(load, meter);
    for (int i = 0; i < load.connections() * load.streams(); i++) {
      client.next();
    }
    meter.report();
  }

  private void next() {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("user-agent", Load.USER_AGENT)
            .header("accept", Load.ACCEPT)
            .build();
    var _ = client.sendAsync(request, BodyHandlers.ofByteArray()).whenComplete(this::ended);
  }

  private void ended(HttpResponse<byte[]> response, Throwable failure) {
    if (failure != null) {
      meter.fail(failure);
    } else {
      meter.response(response.statusCode(), response.body().length);
      next();
    }
  }
}
