package dev.quickwater.web;

import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// The entries of a directory as a page: directories first, sorted by name.
///
/// - Regular files, directories, and links to either below the root are listed. Names that begin
///   with a dot are left out.
/// - If a directory has more entries than the limit, the page lists a part of them and contains a
///   note; the rest is not read. The number of pages that are made at a time is limited.
/// - The directories from the root to the listed directory are opened without following links. A
///   directory that is replaced by a link in the meantime cannot lead out of the root.
///
/// All methods block: call them on virtual threads.
final class DirectoryListing {

  /// The maximum number of pages that are made at a time, because their entries are in memory.
  private static final int MAX_PAGES = 8;

  private static final String BEGIN =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>{title}</title>
      <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 52rem; padding: 0 1rem; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid #ddd; }
        th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
      </style>
      <h1>{title}</h1>
      <table>
        <tr><th>name<th>bytes<th>modified</tr>
      """;

  private static final HttpHeaders FIELDS =
      HttpHeaders.of(
          "content-type",
          "text/html; charset=utf-8",
          "content-security-policy",
          "default-src 'none'; style-src 'unsafe-inline'",
          "cache-control",
          "no-cache");

  private final Path root;
  private final int max;
  private final Semaphore pages = new Semaphore(MAX_PAGES, true);

  /// A file or directory.
  private record Entry(String name, boolean isDirectory, BasicFileAttributes attributes) {}

  /// Pages of at most `max` entries of the directories below `root`, which is a real path.
  DirectoryListing(Path root, int max) {
    this.root = root;
    this.max = max;
  }

  /// The page of a directory.
  ///
  /// @param directory a real path: the root or a directory below it
  /// @param title the decoded path that the client requested
  HttpResponse of(Path directory, String title) throws IOException {
    pages.acquireUninterruptibly();
    try {
      List<Entry> entries = new ArrayList<>();
      boolean complete = read(directory, entries);
      entries.sort(Comparator.comparing((Entry e) -> !e.isDirectory).thenComparing(Entry::name));
      byte[] page = page(title, !directory.equals(root), entries, complete);
      return HttpResponse.of(HttpStatus.OK, FIELDS, page);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } finally {
      pages.release();
    }
  }

  /// Adds the entries of a directory.
  ///
  /// @return false if there are more than the limit
  private boolean read(Path directory, List<Entry> entries) throws IOException {
    try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
      if (directory.equals(root)) {
        return collect(top, directory, entries);
      }
      if (top instanceof SecureDirectoryStream<Path> secure) {
        return descend(secure, root.relativize(directory).iterator(), directory, entries);
      }
    }
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      return collect(stream, directory, entries);
    }
  }

  private boolean descend(
      SecureDirectoryStream<Path> parent, Iterator<Path> way, Path directory, List<Entry> entries)
      throws IOException {
    try (SecureDirectoryStream<Path> child =
        parent.newDirectoryStream(way.next(), LinkOption.NOFOLLOW_LINKS)) {
      return way.hasNext()
          ? descend(child, way, directory, entries)
          : collect(child, directory, entries);
    }
  }

  private boolean collect(DirectoryStream<Path> stream, Path directory, List<Entry> entries) {
    int read = 0;
    for (Path path : stream) {
      if (read++ == max) {
        return false;
      }
      @Nullable Entry entry = entry(stream, directory, path.getFileName());
      if (entry != null) {
        entries.add(entry);
      }
    }
    return true;
  }

  private @Nullable Entry entry(DirectoryStream<Path> stream, Path directory, Path name) {
    if (name.toString().startsWith(".")) {
      return null;
    }
    try {
      BasicFileAttributes attributes =
          stream instanceof SecureDirectoryStream<Path> secure
              ? secure
                  .getFileAttributeView(
                      name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                  .readAttributes()
              : Files.readAttributes(
                  directory.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isSymbolicLink()) {
        String relative = root.relativize(directory).resolve(name).toString();
        attributes =
            Files.readAttributes(
                ChannelFileSource.resolve(root, relative), BasicFileAttributes.class);
      }
      return attributes.isDirectory() || attributes.isRegularFile()
          ? new Entry(name.toString(), attributes.isDirectory(), attributes)
          : null;
    } catch (IOException _) {
      return null; // it was removed, or leads out of the root
    }
  }

  private byte[] page(String title, boolean hasParent, List<Entry> entries, boolean complete) {
    StringBuilder page = new StringBuilder(1024 + 128 * entries.size());
    page.append(BEGIN.replace("{title}", escaped(title)));
    if (hasParent) {
      page.append("<tr><td><a href=\"../\">../</a><td><td></tr>\n");
    }
    for (Entry entry : entries) {
      String end = entry.isDirectory ? "/" : "";
      page.append("<tr><td><a href=\"./").append(encoded(entry.name)).append(end).append("\">");
      page.append(escaped(entry.name)).append(end).append("</a><td>");
      if (!entry.isDirectory) {
        page.append(entry.attributes.size());
      }
      page.append("<td>")
          .append(entry.attributes.lastModifiedTime().toInstant().truncatedTo(ChronoUnit.SECONDS))
          .append("</tr>\n");
    }
    page.append("</table>\n");
    if (!complete) {
      page.append("<p>The directory has more than ").append(max).append(" entries.</p>\n");
    }
    return page.append("</html>\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  /// Text for HTML, also inside of quoted attributes.
  static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '&' -> safe.append("&amp;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c < 0x20 || c == 0x7f ? '\ufffd' : c);
      }
    }
    return safe.toString();
  }

  /// A name as the segment of a URI: every byte that is not unreserved (RFC 3986 section 2.3) is
  /// escaped.
  static String encoded(String name) {
    StringBuilder segment = new StringBuilder(name.length());
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      int c = b & 0xff;
      boolean unreserved =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || c == '-'
              || c == '.'
              || c == '_'
              || c == '~';
      if (unreserved) {
        segment.append((char) c);
      } else {
        segment.append('%').append(Character.forDigit(c >> 4, 16));
        segment.append(Character.forDigit(c & 15, 16));
      }
    }
    return segment.toString();
  }
}
