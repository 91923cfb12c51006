package dev.quickwater.cli;

import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.BlockingClient;
import dev.quickwater.web.BlockingResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A download to a file that a later one can resume.
///
/// - Bytes are written to `FILE.part`, which becomes `FILE` when it is complete. Until then an
///   existing file is unchanged.
/// - `FILE.part.info` contains the URL and the validator of the content: a strong entity tag, or a
///   modification date at least a second before the response. A later download of the same URL
///   requests the missing range on condition of the validator. If the content has changed, the
///   server sends the whole content, and the download restarts. A part is deleted if it has no
///   validator, or if the content may have been decoded: its length would not be an offset in the
///   encoded content.
/// - The partial file is locked while it is written.
final class Download {

  /// The content was not stored completely.
  static final class IncompleteException extends IOException {
    private static final long serialVersionUID = 1;

    IncompleteException(String message) {
      super(message);
    }
  }

  private static final int CHUNK = 64 << 10;

  private final String url;
  private final Path file;
  private final Path part;
  private final Path info;
  private final boolean canResume;

  /// @param canResume false if a later download cannot resume from a part of the content
  Download(String url, Path file, boolean canResume) throws IOException {
    this.url = url;
    this.canResume = canResume;
    this.file = Files.exists(file) ? file.toRealPath() : file;
    this.part = this.file.resolveSibling(this.file.getFileName() + ".part");
    this.info = this.file.resolveSibling(this.file.getFileName() + ".part.info");
  }

  /// Stores the content.
  ///
  /// @return the status of an unsuccessful response, otherwise null
  @Nullable HttpStatus run(BlockingClient client, RequestHead request) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return toDevice(client, request);
    }
    try (FileChannel out =
        FileChannel.open(
            part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (out.tryLock() == null) {
        throw new IOException("another process writes " + part);
      }
      try {
        return resume(client, request, out);
      } finally {
        if (!Files.exists(info)) {
          Files.deleteIfExists(part); // it cannot be resumed
        }
      }
    }
  }

  private @Nullable HttpStatus resume(BlockingClient client, RequestHead request, FileChannel out)
      throws IOException {
    long kept = out.size();
    @Nullable String validator = kept > 0 ? storedValidator() : null;
    if (validator != null) {
      RequestHead rest =
          request.toBuilder()
              .add("range", "bytes=" + kept + "-")
              .add("if-range", validator)
              .build();
      try (BlockingResponse response = client.open(rest)) {
        ResponseHead head = response.head();
        if (head.status().equals(HttpStatus.PARTIAL_CONTENT) && continues(head, kept)) {
          return store(response, out, kept);
        }
        if (isWhole(head.status())) {
          return restart(response, out);
        }
        boolean isPartial = head.status().equals(HttpStatus.PARTIAL_CONTENT);
        if (!isPartial && !head.status().equals(HttpStatus.RANGE_NOT_SATISFIABLE)) {
          return head.status();
        }
      }
    }
    try (BlockingResponse response = client.open(request)) {
      HttpStatus status = response.head().status();
      return isWhole(status) ? restart(response, out) : status;
    }
  }

  private static boolean isWhole(HttpStatus status) {
    return status.code() / 100 == 2 && !status.equals(HttpStatus.PARTIAL_CONTENT);
  }

  /// The validator of the partial file, if that file is of this URL.
  private @Nullable String storedValidator() throws IOException {
    if (!Files.isRegularFile(info, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    List<String> lines = Files.readAllLines(info);
    return lines.size() == 2 && lines.getFirst().equals(url) ? lines.getLast() : null;
  }

  /// True if a 206 starts where the partial file ends, and contains the rest.
  private static boolean continues(ResponseHead head, long kept) {
    @Nullable String range = head.headers().getSingle("content-range");
    long length = head.contentLength();
    long total = length < 0 ? -1 : kept + length;
    return range != null && range.equals("bytes " + kept + "-" + (total - 1) + "/" + total);
  }

  private @Nullable HttpStatus restart(BlockingResponse response, FileChannel out)
      throws IOException {
    Files.deleteIfExists(info);
    out.truncate(0);
    @Nullable String validator = canResume ? validator(response.head().headers()) : null;
    if (validator != null) {
      Files.writeString(
          info,
          url + "\n" + validator + "\n",
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE);
    }
    return store(response, out, 0);
  }

  /// The validator of the content for `If-Range` (RFC 9110 section 13.1.5), or null.
  static @Nullable String validator(HttpHeaders headers) {
    @Nullable String tag = headers.getSingle("etag");
    if (tag != null) {
      return tag.startsWith("\"") ? tag : null;
    }
    @Nullable String modified = headers.getSingle("last-modified");
    @Nullable String date = headers.getSingle("date");
    @Nullable Instant state = modified == null ? null : HttpDate.parse(modified);
    @Nullable Instant now = date == null ? null : HttpDate.parse(date);
    return state != null && now != null && state.isBefore(now) ? modified : null;
  }

  private @Nullable HttpStatus store(BlockingResponse response, FileChannel out, long kept)
      throws IOException {
    long length = response.head().contentLength();
    @Nullable Progress progress = Progress.onTerminal(kept, length < 0 ? -1 : kept + length);
    out.position(kept);
    try {
      InputStream body = response.body();
      byte[] chunk = new byte[CHUNK];
      for (int count; (count = body.read(chunk)) >= 0; ) {
        for (ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, count); bytes.hasRemaining(); ) {
          out.write(bytes);
        }
        if (progress != null) {
          progress.add(count);
        }
      }
    } catch (IOException e) {
      if (Files.exists(info)) {
        throw new IncompleteException(
            Get.reason(e) + "; " + out.size() + " bytes are kept, the same command resumes");
      }
      throw e;
    } finally {
      if (progress != null) {
        progress.end();
      }
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    Files.deleteIfExists(info);
    return null;
  }

  /// A pipe or a device is written directly.
  private @Nullable HttpStatus toDevice(BlockingClient client, RequestHead request)
      throws IOException {
    try (BlockingResponse response = client.open(request);
        OutputStream out = Files.newOutputStream(file)) {
      if (!isWhole(response.head().status())) {
        return response.head().status();
      }
      response.body().transferTo(out);
      return null;
    }
  }
}
