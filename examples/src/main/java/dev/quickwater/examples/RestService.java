package dev.quickwater.examples;

import dev.quickwater.http.Blocking;
import dev.quickwater.http.BlockingExchange;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Files over HTTP: sizes, streaming uploads and downloads, and responses for failures by their
/// type.
public final class RestService {

  private static final ResponseHead HEAD = ResponseHead.of(HttpStatus.OK);
  private static final long MAX_FILE = 1L << 30;

  private RestService() {}

  /// Stores files in the folder of the first argument and listens on the port in the second.
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    RunningServer server = HttpServer.create(routes(folder)).listen(Integer.parseInt(arguments[1]));
    System.out.println("listening on port " + server.port());
  }

  /// The routes over a folder.
  public static Routes routes(Path folder) {
    // @start region=routes
    return new Routes()
        .get("/sizes/{name}", Blocking.handler(x -> size(folder.resolve(x.param("name")))))
        .put("/files/{name}", Blocking.handler(x -> store(x, folder)))
        .get("/files/{name}", x -> x.respond(HttpResponse.file(HEAD, folder, x.param("name"))))
        .error(
            NoSuchFileException.class,
            e -> HttpResponse.text(HttpStatus.NOT_FOUND, "no such file\n"));
    // @end

  }

  // @start region=store
  private static HttpResponse store(BlockingExchange x, Path folder) throws IOException {
    x.limits(ExchangeLimits.DEFAULT.withMaxBody(MAX_FILE));
    Path part = Files.createTempFile(folder, ".upload", ".part");
    try {
      Files.copy(x.body(), part, StandardCopyOption.REPLACE_EXISTING);
      Files.move(part, folder.resolve(x.param("name")), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
    return HttpResponse.text(HttpStatus.CREATED, "stored\n");
  }

  // @end

  private static HttpResponse size(Path file) throws IOException {
    return HttpResponse.text(Files.size(file) + "\n");
  }
}
