package dev.quickwater.cli;

import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.web.BlockingClient;
import dev.quickwater.web.BlockingResponse;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpClientSettings.Decompression;
import dev.quickwater.web.VersionSettings.Versions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// `qw get`: writes the content of a resource to a file ([Download]) or to the standard output.
final class Get {

  static final String USAGE =
      """
      usage: qw get URL [-o FILE] [--compressed] [--http2] [--cacert FILE]

        URL      an http or https URL; http:// may be left out
        -o FILE  write the content to FILE, with a progress bar on a terminal; a download that
                 was interrupted resumes where FILE.part ends, if the content is the same
        --compressed
                 accept compressed content (gzip, deflate) and write it decoded; an interrupted
                 download then restarts
        --http2  use HTTP/2; with http the server must support it without negotiation
        --cacert FILE
                 trust the certificates in FILE (PEM) instead of those of the system

      The exit status is 0, 1 if there is no complete response, 2 for a mistake in the arguments, or
      3 if a part is kept that the same command resumes.
      """;

  private Get() {}

  /// Fetches a resource.
  ///
  /// @return the exit status: 0; 1 without a complete 2xx response; 3 if, in that case, a part of
  ///   the content was kept
  static int run(String[] arguments) {
    if (arguments.length == 1 && arguments[0].equals("--help")) {
      System.out.print(USAGE);
      return 0;
    }
    @Nullable String url = null;
    @Nullable Path file = null;
    @Nullable Path trusted = null;
    boolean http2 = false;
    boolean compressed = false;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals("-o")) {
        if (++i == arguments.length) {
          throw new UsageException("option -o has no value");
        }
        file = path(arguments[i]);
      } else if (arguments[i].equals("--cacert")) {
        if (++i == arguments.length) {
          throw new UsageException("option --cacert has no value");
        }
        trusted = path(arguments[i]);
      } else if (arguments[i].equals("--http2")) {
        http2 = true;
      } else if (arguments[i].equals("--compressed")) {
        compressed = true;
      } else if (arguments[i].startsWith("-") || url != null) {
        throw new UsageException("unknown option " + arguments[i] + "; try qw get --help");
      } else {
        url = arguments[i];
      }
    }
    if (url == null) {
      throw new UsageException("no URL is given; try qw get --help");
    }
    HttpClientSettings settings = settings(http2, compressed);
    return fetch(head(url), file, settings, trust(trusted));
  }

  private static HttpClientSettings settings(boolean http2, boolean compressed) {
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    return settings
        .withVersions(
            settings
                .versions()
                .with(http2 ? Versions.HTTP_2 : Versions.BOTH)
                .withExchanges(settings.http1().exchanges().withMaxBody(Long.MAX_VALUE)))
        .withRequests(
            settings.requests().withDecompression(compressed ? Decompression.DEFAULT : null));
  }

  private static TlsSettings trust(@Nullable Path file) {
    TlsSettings settings = TlsSettings.client();
    try {
      return file == null ? settings : settings.withTrust(settings.trust().withCertificates(file));
    } catch (UncheckedIOException | IllegalArgumentException e) {
      throw new UsageException("--cacert is " + file + ": " + e.getMessage());
    }
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

  private static int fetch(
      RequestHead head, @Nullable Path file, HttpClientSettings settings, TlsSettings tls) {
    boolean canResume = settings.requests().responses().decompression() == null;
    String what = head.scheme() + "://" + head.authority() + head.target();
    try (HttpClient client = HttpClient.create(settings, tls)) {
      @Nullable HttpStatus refusal =
          file == null
              ? print(client.blocking(), head)
              : new Download(what, file, canResume).run(client.blocking(), head);
      if (refusal != null) {
        System.err.println("qw: " + what + " answered " + refusal);
        return 1;
      }
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (Download.IncompleteException e) {
      System.err.println("qw: " + what + " failed: " + e.getMessage());
      return 3;
    } catch (IOException e) {
      System.err.println("qw: " + what + " failed: " + reason(e));
      return 1;
    }
  }

  /// The innermost message, because the outer ones name only the operation that failed. A
  /// [TlsException] ends the search: its message names the certificate, that of its cause does not.
  static String reason(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null && !(last instanceof TlsException)) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.toString() : last.getMessage();
  }

  private static @Nullable HttpStatus print(BlockingClient client, RequestHead head)
      throws IOException {
    try (BlockingResponse response = client.open(head)) {
      if (response.head().status().code() / 100 != 2) {
        return response.head().status();
      }
      response.body().transferTo(System.out);
      if (System.out.checkError()) { // which flushes
        throw new IOException("the standard output cannot be written");
      }
      return null;
    }
  }
}
