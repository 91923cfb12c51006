package dev.quickwater.examples;

import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.web.BlockingResponse;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpClientSettings.Decompression;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/// The client in its forms: futures, blocking calls, streams, values.
public final class Fetch {

  private Fetch() {}

  /// Writes the resource of the URI in the first argument to the file in the second, or prints it.
  public static void main(String[] arguments) throws IOException {
    try (HttpClient client = client()) {
      if (arguments.length > 1) {
        save(client, arguments[0], Path.of(arguments[1]));
      } else {
        System.out.println(text(client, arguments[0]));
      }
    }
  }

  /// A client with a limit of 20 s for a whole request.
  public static HttpClient client() {
    // @start region=settings
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    return HttpClient.create(
        settings.withRequests(settings.requests().withTimeout(Duration.ofSeconds(20))));
    // @end

  }

  /// A client that requests compressed responses and decodes them.
  public static HttpClient compressed() {
    // @start region=compressed
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    return HttpClient.create(
        settings.withRequests(settings.requests().withDecompression(Decompression.DEFAULT)));
    // @end

  }

  /// The text of a resource; blocks.
  public static String text(HttpClient client, String uri) throws IOException {
    // @start region=blocking
    HttpResponse response = client.blocking().get(uri);
    if (response.status() != HttpStatus.OK) {
      throw new IOException(uri + " has status " + response.status());
    }
    return response.text();
    // @end

  }

  /// Prints the text of a resource when it has arrived; does not block.
  public static void print(HttpClient client, String uri) {
    // @start region=future
    client
        .get(uri)
        .onComplete(result -> {
          if (result.isSuccess()) {
            System.out.println(result.value().text());
          } else {
            System.err.println(uri + ": " + result.cause());
          }
        });
    // @end

  }

  /// Copies a resource of any size to a file; blocks.
  public static void save(HttpClient client, String uri, Path file) throws IOException {
    // @start region=stream
    try (BlockingResponse response = client.blocking().open(RequestHead.get(uri))) {
      if (response.head().status() != HttpStatus.OK) {
        throw new IOException(uri + " has status " + response.head().status());
      }
      Files.copy(response.body(), file, StandardCopyOption.REPLACE_EXISTING);
    }
    // @end

  }

  /// The average of `values`, computed by the server of [Average]; blocks.
  public static double average(HttpClient client, String uri, double... values) throws IOException {
    // @start region=codec
    RequestHead head = RequestHead.builder(HttpMethod.POST, uri).build();
    HttpResponse response = client.blocking().send(Average.NUMBERS.request(head, values));
    return Average.NUMBERS.read(response)[0];
    // @end

  }
}
