package dev.quickwater.web;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Serves the regular files below a directory. On HTTP/1.1 the kernel sends them from the file
/// (sendfile); on HTTP/2 they are read and sent as bytes.
///
/// - A path cannot leave the directory. The response is 404 for `..` in any spelling, an encoded
///   slash, NUL, a symbolic link that points outside, and anything that is not a readable regular
///   file.
/// - The response for a directory is its index file, or its listing if that is enabled. A path
///   without the slash at the end is redirected. See [StaticFilesSettings].
/// - A single range of bytes is supported. The response to several ranges is the whole file (RFC
///   9110 section 14.2).
/// - The conditions of RFC 9110 section 13 are evaluated, by entity tag and by date with a
///   resolution of one second. The tag is computed from size, modification time and identity of the
///   file. It is weak for two seconds after a modification, because another modification may leave
///   it unchanged.
/// - A compressed file is a separate representation with a separate tag; ranges apply to its bytes.
///   If compressed files are enabled, all responses vary by Accept-Encoding, and `If-Range` is
///   accepted only with a tag.
/// - If a file shrinks while it is sent, the exchange is aborted, because the announced length
///   cannot be kept.
public final class StaticFiles implements HttpHandler {

  private static final HttpResponse NOT_ALLOWED =
      HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED, "allow", "GET, HEAD");

  private final Path root;
  private final String prefix;
  private final StaticFilesSettings settings;
  private final DirectoryListing listing;

  private StaticFiles(Path root, String prefix, StaticFilesSettings settings) {
    this.root = root;
    this.prefix = prefix;
    this.settings = settings;
    this.listing = new DirectoryListing(root, settings.maxListed());
  }

  /// Files below `directory` at paths that begin with `prefix`, which begins and ends with a slash.
  ///
  /// @throws IOException if the directory does not exist, is not a directory, or cannot be read
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
    return new StaticFiles(root, prefix, StaticFilesSettings.DEFAULT);
  }

  /// These files with other settings.
  public StaticFiles with(StaticFilesSettings other) {
    return new StaticFiles(root, prefix, other);
  }

  @Override
  public void handle(HttpExchange x) {
    HttpMethod method = x.request().method();
    if (method != HttpMethod.GET && method != HttpMethod.HEAD) {
      x.respond(NOT_ALLOWED);
      return;
    }
    @Nullable String relative = relative(x.request().target().rawPath());
    if (relative == null) {
      throw FileLookup.notFound();
    }
    EventLoop loop = x.loop();
    List<ContentCoding> accepted =
        settings.precompressed()
            ? ContentCoding.accepted(
                x.request().headers().getAll(HeaderName.ACCEPT_ENCODING), ContentCoding.OF_FILES)
            : List.of();
    Thread.startVirtualThread(() -> {
      try {
        switch (FileLookup.of(loop, root, relative, settings, accepted)) {
          case FileLookup.Found file -> {
            try {
              x.execute(() -> answer(x, file));
            } catch (RejectedExecutionException _) {
              file.close();
            }
          }
          case FileLookup.Directory directory -> {
            HttpResponse page = listing.of(directory.path(), prefix + relative);
            execute(x, () -> x.respond(page));
          }
          case FileLookup.MissingSlash() -> execute(x, () -> redirect(x));
        }
      } catch (Throwable t) {
        execute(x, () -> x.fail(t));
      }
    });
  }

  private static void execute(HttpExchange x, Runnable task) {
    try {
      x.execute(task);
    } catch (RejectedExecutionException _) {
      // the loop has ended, and the exchange with it
    }
  }

  /// The decoded path below the directory, with the slash at its end; null if the path cannot be
  /// decoded.
  private @Nullable String relative(String path) {
    if (!path.startsWith(prefix)) {
      return null;
    }
    String rest = path.substring(prefix.length());
    if (rest.isEmpty()) {
      return "";
    }
    if (!rest.endsWith("/")) {
      return PathDecoder.decode(rest);
    }
    @Nullable String directory = PathDecoder.decode(rest.substring(0, rest.length() - 1));
    return directory == null ? null : directory + "/";
  }

  /// Redirects to the path with a slash at its end: relative links of the page then lead into the
  /// directory.
  private static void redirect(HttpExchange x) {
    HttpTarget target = x.request().target();
    String query = target.rawQuery() == null ? "" : "?" + target.rawQuery();
    x.respond(
        HttpResponse.of(HttpStatus.PERMANENT_REDIRECT, "location", target.rawPath() + "/" + query));
  }

  private void answer(HttpExchange x, FileLookup.Found file) {
    boolean taken = false;
    try {
      HttpHeaders.Builder headers = headers(file);
      switch (Conditions.of(x.request().headers(), file.state())) {
        case NOT_MODIFIED ->
            x.respond(HttpResponse.of(HttpStatus.NOT_MODIFIED, headers.build(), new byte[0]));
        case FAILED ->
            x.respond(
                HttpResponse.text(HttpStatus.PRECONDITION_FAILED, "the file is a different one\n"));
        case MET -> {
          headers.add(HeaderName.CONTENT_TYPE, MediaTypes.of(file.name()));
          if (file.coding() != null) {
            headers.add(HeaderName.CONTENT_ENCODING, file.coding().token());
          }
          taken = send(x, file, headers);
        }
      }
    } finally {
      if (!taken) {
        file.close();
      }
    }
  }

  /// The fields of a 200 and of a 304 (RFC 9110 section 15.4.5).
  private HttpHeaders.Builder headers(FileLookup.Found file) {
    HttpHeaders.Builder headers =
        HttpHeaders.builder()
            .add(HeaderName.ACCEPT_RANGES, "bytes")
            .add(HeaderName.ETAG, file.state().tag().toString());
    addLastModified(headers, file.state().modified());
    if (settings.cacheControl() != null) {
      headers.add(HeaderName.CACHE_CONTROL, settings.cacheControl());
    }
    if (settings.precompressed()) {
      headers.add(HeaderName.VARY, "accept-encoding");
    }
    return headers;
  }

  /// A modification time in the future is sent as the current time, because Last-Modified must not
  /// be later than the response (RFC 9110 section 8.8.2.1).
  private static void addLastModified(HttpHeaders.Builder headers, Instant modified) {
    Instant now = Instant.now();
    Instant shown = modified.isAfter(now) ? now : modified;
    if (HttpDate.isInRange(shown)) {
      headers.add(HeaderName.LAST_MODIFIED, HttpDate.format(shown));
    }
  }

  /// Sends a file, or a part of it.
  ///
  /// @return true if ownership of the file was passed on
  private static boolean send(HttpExchange x, FileLookup.Found file, HttpHeaders.Builder headers) {
    long size = file.source().size();
    // Only GET has ranges (RFC 9110 section 14.2).
    ByteRange range =
        x.request().method() == HttpMethod.HEAD
            ? ByteRange.whole(size)
            : ByteRange.of(x.request().headers(), size, file.state());
    if (!range.isSatisfiable()) {
      headers.add(HeaderName.CONTENT_RANGE, "bytes */" + size);
      x.respond(HttpResponse.of(HttpStatus.RANGE_NOT_SATISFIABLE, headers.build(), new byte[0]));
      return false;
    }
    HttpStatus status = HttpStatus.OK;
    if (!range.isWhole()) {
      status = HttpStatus.PARTIAL_CONTENT;
      headers.add(
          HeaderName.CONTENT_RANGE, "bytes " + range.first() + "-" + range.last() + "/" + size);
    }
    x.respond(
        ResponseHead.of(status, headers.build()),
        new FileRegion(file.source(), range.first(), range.length()));
    return true;
  }
}
