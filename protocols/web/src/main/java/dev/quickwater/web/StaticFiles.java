package dev.quickwater.web;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
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

  private static final System.Logger LOG = System.getLogger(StaticFiles.class.getName());

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
  public void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    boolean head = request.method().equals(HttpMethod.HEAD);
    if (!head && !request.method().equals(HttpMethod.GET)) {
      exchange.respond(
          HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED, HttpHeaders.of("allow", "GET, HEAD")));
      return;
    }
    @Nullable Path file = resolve(request.path());
    @Nullable BasicFileAttributes attributes = file == null ? null : regular(file);
    if (file == null || attributes == null) {
      notFound(exchange);
      return;
    }
    Instant modified = attributes.lastModifiedTime().toInstant().truncatedTo(ChronoUnit.SECONDS);
    HttpHeaders.Builder headers =
        HttpHeaders.builder().add("content-type", type(file)).add("accept-ranges", "bytes");
    addLastModified(headers, modified);
    Conditions conditions = Conditions.of(request.headers(), modified);
    if (conditions != Conditions.MET) {
      exchange.respond(
          conditions == Conditions.NOT_MODIFIED
              ? HttpResponse.of(HttpStatus.NOT_MODIFIED, headers.build())
              : HttpResponse.text(HttpStatus.PRECONDITION_FAILED, "the file is another one\n"));
      return;
    }
    FileSource source;
    try {
      source = exchange.channel().loop().openFile(file);
    } catch (NoSuchFileException | AccessDeniedException _) {
      notFound(exchange);
      return;
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a file that is there cannot be opened", e);
      exchange.respond(
          HttpResponse.text(HttpStatus.SERVICE_UNAVAILABLE, "cannot be read just now\n"));
      return;
    }
    boolean handedOver = false;
    try {
      handedOver = send(exchange, source, headers, head);
    } finally {
      if (!handedOver) {
        source.close();
      }
    }
  }

  /// A file that will have been modified is said to be new: the field is never later than the
  /// response (RFC 9110 section 8.8.2.1).
  private static void addLastModified(HttpHeaders.Builder headers, Instant modified) {
    Instant now = Instant.now();
    Instant shown = modified.isAfter(now) ? now : modified;
    if (HttpDate.isInRange(shown)) {
      headers.add("last-modified", HttpDate.format(shown));
    }
  }

  private static void notFound(HttpExchange exchange) {
    exchange.respond(HttpResponse.text(HttpStatus.NOT_FOUND, "no such file\n"));
  }

  /// The real path of a request's path, or null when there is none below the root.
  private @Nullable Path resolve(String path) {
    if (!path.startsWith(prefix)) {
      return null;
    }
    @Nullable String decoded = PathDecoder.decode(path.substring(prefix.length()));
    if (decoded == null) {
      return null;
    }
    try {
      Path real = root.resolve(decoded).toRealPath();
      return real.startsWith(root) ? real : null;
    } catch (IOException | InvalidPathException _) {
      return null;
    }
  }

  private static @Nullable BasicFileAttributes regular(Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.isRegularFile() ? attributes : null;
    } catch (NoSuchFileException _) {
      return null; // it went just now
    }
  }

  private static String type(Path file) {
    String name = String.valueOf(file.getFileName());
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(extension, "application/octet-stream");
  }

  /// Answers with a file, or a part of it.
  ///
  /// @return true when `source` was taken over
  private static boolean send(
      HttpExchange exchange, FileSource source, HttpHeaders.Builder headers, boolean head) {
    long size = source.size();
    // Ranges are for GET alone (RFC 9110 section 14.2).
    ByteRange range =
        head ? ByteRange.whole(size) : ByteRange.of(exchange.request().headers(), size);
    if (!range.isSatisfiable()) {
      headers.add("content-range", "bytes */" + size);
      exchange.respond(HttpResponse.of(HttpStatus.RANGE_NOT_SATISFIABLE, headers.build()));
      return false;
    }
    HttpStatus status = HttpStatus.OK;
    if (!range.isWhole()) {
      status = HttpStatus.PARTIAL_CONTENT;
      headers.add("content-range", "bytes " + range.first() + "-" + range.last() + "/" + size);
    }
    exchange.respond(HttpResponse.head(status, headers.build(), range.length()));
    boolean hasContent = !head && range.length() > 0;
    if (hasContent) {
      exchange.write(new FileRegion(source, range.first(), range.length()));
    }
    exchange.end();
    return hasContent;
  }
}
