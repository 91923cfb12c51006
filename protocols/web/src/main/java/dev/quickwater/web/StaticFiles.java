package dev.quickwater.web;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Serves the regular files below a directory, sent by the kernel from the file.
///
/// - A path leaves the directory in no way: `..` in any spelling, an encoded slash, NUL, or a
///   symbolic link that points outside is 404, as is everything that is no readable regular file.
/// - One range of bytes is honoured; several are answered with the whole file (RFC 9110 section
///   14.2).
/// - `If-Modified-Since` and `If-Unmodified-Since` are honoured with a resolution of a second,
///   unless they come twice or with `If-None-Match` and `If-Match` (RFC 9110 section 13). Of the
///   latter only `*` matches, for there are no entity tags.
/// - A file that shrinks while it is sent breaks the connection, for its announced length cannot be
///   kept.
public final class StaticFiles implements HttpHandler {

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("html", "text/html; charset=utf-8"),
          Map.entry("txt", "text/plain; charset=utf-8"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("xml", "application/xml"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("png", "image/png"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("gif", "image/gif"),
          Map.entry("webp", "image/webp"),
          Map.entry("ico", "image/x-icon"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("woff2", "font/woff2"));

  private static final HttpResponse NOT_ALLOWED =
      HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED, "allow", "GET, HEAD");

  private final Path root;
  private final String prefix;

  private StaticFiles(Path root, String prefix) {
    this.root = root;
    this.prefix = prefix;
  }

  /// Files below `directory` at paths that begin with `prefix`, which begins and ends with a slash.
  ///
  /// @throws IOException if the directory does not exist, is none, or cannot be read
  public static StaticFiles at(String prefix, Path directory) throws IOException {
    if (!prefix.startsWith("/") || !prefix.endsWith("/")) {
      throw new IllegalArgumentException("prefix is " + prefix + ", expected /.../");
    }
    Path root = directory.toRealPath();
    if (!Files.isDirectory(root)) {
      throw new NotDirectoryException(directory.toString());
    }
    if (!Files.isReadable(root) || !Files.isExecutable(root)) {
      throw new AccessDeniedException(directory.toString());
    }
    return new StaticFiles(root, prefix);
  }

  @Override
  public void handle(HttpExchange x) {
    HttpMethod method = x.request().method();
    if (method != HttpMethod.GET && method != HttpMethod.HEAD) {
      x.respond(NOT_ALLOWED);
      return;
    }
    @Nullable String relative = relative(x);
    if (relative == null) {
      throw new HttpException(HttpStatus.NOT_FOUND, "no such file");
    }
    EventLoop loop = x.loop();
    Thread.startVirtualThread(() -> {
      try {
        FileLookup file = FileLookup.open(loop, root, relative);
        try {
          x.execute(() -> answer(x, file));
        } catch (RejectedExecutionException _) {
          file.close();
        }
      } catch (Throwable t) {
        fail(x, t);
      }
    });
  }

  private static void fail(HttpExchange x, Throwable cause) {
    try {
      x.execute(() -> x.fail(cause));
    } catch (RejectedExecutionException _) {
      // the loop has ended, and the exchange with it
    }
  }

  /// The path below the directory, or null if the request has none.
  private @Nullable String relative(HttpExchange x) {
    String path = x.request().target().rawPath();
    return path.startsWith(prefix) ? PathDecoder.decode(path.substring(prefix.length())) : null;
  }

  private static void answer(HttpExchange x, FileLookup file) {
    boolean taken = false;
    try {
      HttpHeaders.Builder headers = HttpHeaders.builder().add("accept-ranges", "bytes");
      addLastModified(headers, file.modified());
      switch (Conditions.of(x.request().headers(), file.modified())) {
        case NOT_MODIFIED ->
            x.respond(HttpResponse.of(HttpStatus.NOT_MODIFIED, headers.build(), new byte[0]));
        case FAILED ->
            x.respond(
                HttpResponse.text(HttpStatus.PRECONDITION_FAILED, "the file is a different one\n"));
        case MET -> {
          headers.add("content-type", type(file.name()));
          taken = send(x, file, headers);
        }
      }
    } finally {
      if (!taken) {
        file.close();
      }
    }
  }

  /// A modification time in the future is shown as the present, because the field is never later
  /// than the response (RFC 9110 section 8.8.2.1).
  private static void addLastModified(HttpHeaders.Builder headers, Instant modified) {
    Instant now = Instant.now();
    Instant shown = modified.isAfter(now) ? now : modified;
    if (HttpDate.isInRange(shown)) {
      headers.add("last-modified", HttpDate.format(shown));
    }
  }

  private static String type(String name) {
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(extension, "application/octet-stream");
  }

  /// Answers with a file, or a part of it.
  ///
  /// @return true if ownership of the file was passed on
  private static boolean send(HttpExchange x, FileLookup file, HttpHeaders.Builder headers) {
    long size = file.source().size();
    // Ranges are for GET alone (RFC 9110 section 14.2).
    ByteRange range =
        x.request().method() == HttpMethod.HEAD
            ? ByteRange.whole(size)
            : ByteRange.of(x.request().headers(), size, file.modified());
    if (!range.isSatisfiable()) {
      headers.add("content-range", "bytes */" + size);
      x.respond(HttpResponse.of(HttpStatus.RANGE_NOT_SATISFIABLE, headers.build(), new byte[0]));
      return false;
    }
    HttpStatus status = HttpStatus.OK;
    if (!range.isWhole()) {
      status = HttpStatus.PARTIAL_CONTENT;
      headers.add("content-range", "bytes " + range.first() + "-" + range.last() + "/" + size);
    }
    x.respond(
        ResponseHead.of(status, headers.build()),
        new FileRegion(file.source(), range.first(), range.length()));
    return true;
  }
}
