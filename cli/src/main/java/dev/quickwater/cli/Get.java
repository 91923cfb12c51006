package dev.quickwater.cli;

import dev.quickwater.http.RequestHead;
import dev.quickwater.web.BlockingResponse;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// `qw get`: writes the content of a resource to a file or to the standard output.
///
/// The file is created when a successful response has begun, so a failure leaves an existing file
/// as it was; an incomplete body leaves an incomplete file and the exit status 1.
final class Get {

  static final String USAGE =
      """
      usage: qw get URL [-o FILE]

        URL      an http URL; http:// may be left out
        -o FILE  write the content to FILE, with a progress line on a terminal
      """;

  private static final int CHUNK = 64 << 10;

  private Get() {}

  /// Fetches a resource.
  ///
  /// @return the exit status: 0, or 1 if there is no complete response of status 2xx
  static int run(String[] arguments) {
    if (arguments.length == 1 && arguments[0].equals("--help")) {
      System.out.print(USAGE);
      return 0;
    }
    @Nullable String url = null;
    @Nullable Path file = null;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals("-o")) {
        if (++i == arguments.length) {
          throw new UsageException("option -o has no value");
        }
        file = path(arguments[i]);
      } else if (arguments[i].startsWith("-") || url != null) {
        throw new UsageException("unknown option " + arguments[i] + "; try qw get --help");
      } else {
        url = arguments[i];
      }
    }
    if (url == null) {
      throw new UsageException("no URL is given; try qw get --help");
    }
    return fetch(head(url), file);
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new UsageException("-o is " + text + ", which names no file: " + e.getReason());
    }
  }

  private static RequestHead head(String url) {
    try {
      RequestHead head = RequestHead.get(url.contains("://") ? url : "http://" + url);
      return head.toBuilder().add("accept", "*/*").add("user-agent", "quickwater").build();
    } catch (IllegalArgumentException e) {
      throw new UsageException("the URL is " + url + ": " + e.getMessage());
    }
  }

  private static int fetch(RequestHead head, @Nullable Path file) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    settings =
        settings.withHttp1(
            settings
                .http1()
                .withExchanges(settings.http1().exchanges().withMaxBody(Long.MAX_VALUE)));
    String what = head.scheme() + "://" + head.authority() + head.target();
    try (HttpClient client = HttpClient.create(settings);
        BlockingResponse response = client.blocking().open(head)) {
      if (response.head().status().code() / 100 != 2) {
        System.err.println("qw: " + what + " answered " + response.head().status());
        return 1;
      }
      if (file == null) {
        copy(response, System.out, null);
      } else {
        try (OutputStream out = Files.newOutputStream(file)) {
          copy(response, out, Progress.onTerminal(response.head().contentLength()));
        }
      }
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      System.err.println("qw: " + what + " failed: " + reason(e));
      return 1;
    }
  }

  /// The innermost message: the outer ones name the operation that failed because of it.
  private static String reason(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.toString() : last.getMessage();
  }

  private static void copy(BlockingResponse response, OutputStream out, @Nullable Progress progress)
      throws IOException {
    InputStream body = response.body();
    byte[] chunk = new byte[CHUNK];
    for (int count; (count = body.read(chunk)) >= 0; ) {
      out.write(chunk, 0, count);
      if (progress != null) {
        progress.add(count);
      }
    }
    out.flush();
    if (out instanceof PrintStream print && print.checkError()) {
      throw new IOException("the standard output cannot be written");
    }
    if (progress != null) {
      progress.end();
    }
  }
}
