package dev.quickwater.web;

import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpStatus;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the file or directory of a path. The lookup blocks: call it on virtual threads.
sealed interface FileLookup {

  /// An open regular file.
  ///
  /// @param name the name of the file, which determines its type; the name of the original if the
  ///   file is compressed
  /// @param source the open file; its holder closes it
  /// @param state the state of the file
  /// @param coding how the file is compressed, or null
  record Found(String name, FileSource source, Validators state, @Nullable ContentCoding coding)
      implements FileLookup {

    void close() {
      try {
        source.close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "a file cannot be closed", e);
      }
    }
  }

  /// A directory that is listed.
  ///
  /// @param path its real path
  record Directory(Path path) implements FileLookup {}

  /// A directory that was requested without the slash at the end of its path.
  record MissingSlash() implements FileLookup {}

  System.Logger LOG = System.getLogger(StaticFiles.class.getName());

  /// The place of a file.
  ///
  /// @param name the name after following all links, which determines the type
  record Place(EventLoop loop, Path root, String relative, String name) {

    Path path() {
      return root.resolve(relative);
    }

    Place sibling(String suffix) {
      return new Place(loop, root, relative + suffix, name);
    }
  }

  /// The maximum number of attempts to open a file that is replaced in the meantime.
  int MAX_ATTEMPTS = 3;

  /// Looks a path up.
  ///
  /// @param root a real path
  /// @param relative a decoded path; for a directory it is empty or ends with a slash
  /// @param accepted codings that the client prefers, best first
  /// @throws HttpException with 404 if the path leads to nothing that is served, or with 503
  static FileLookup of(
      EventLoop loop,
      Path root,
      String relative,
      StaticFilesSettings settings,
      List<ContentCoding> accepted) {
    try {
      if (relative.isEmpty() || relative.endsWith("/")) {
        return directory(loop, root, relative, settings, accepted);
      }
      Path file = ChannelFileSource.resolve(root, relative);
      BasicFileAttributes attributes = attributes(file);
      if (attributes.isDirectory() && isServed(file, settings)) {
        return new MissingSlash();
      }
      Place place = new Place(loop, root, relative, String.valueOf(file.getFileName()));
      return file(place, attributes, settings, accepted);
    } catch (NoSuchFileException | AccessDeniedException | NotDirectoryException _) {
      throw notFound();
    } catch (IOException e) {
      // A request can make the lookup fail, for example by a circle of links.
      LOG.log(System.Logger.Level.DEBUG, "a path cannot be looked up", e);
      throw notFound();
    }
  }

  private static FileLookup directory(
      EventLoop loop,
      Path root,
      String relative,
      StaticFilesSettings settings,
      List<ContentCoding> accepted)
      throws IOException {
    Path directory = relative.isEmpty() ? root : ChannelFileSource.resolve(root, relative);
    if (hasIndex(directory, settings)) {
      String index = relative + settings.index();
      Path file = ChannelFileSource.resolve(root, index);
      Place place = new Place(loop, root, index, String.valueOf(file.getFileName()));
      return file(place, attributes(file), settings, accepted);
    }
    if (settings.maxListed() > 0 && attributes(directory).isDirectory()) {
      return new Directory(directory);
    }
    throw notFound();
  }

  /// True if a directory has an index or is listed.
  private static boolean isServed(Path directory, StaticFilesSettings settings) {
    return settings.maxListed() > 0 || hasIndex(directory, settings);
  }

  private static boolean hasIndex(Path directory, StaticFilesSettings settings) {
    @Nullable String index = settings.index();
    return index != null && Files.isRegularFile(directory.resolve(index));
  }

  private static Found file(
      Place place,
      BasicFileAttributes attributes,
      StaticFilesSettings settings,
      List<ContentCoding> accepted)
      throws IOException {
    if (!attributes.isRegularFile()) {
      throw notFound(); // a compressed file beside a directory is not a form of the directory
    }
    for (ContentCoding coding : accepted) {
      @Nullable Found found = compressed(place, attributes.lastModifiedTime(), coding);
      if (found != null) {
        return found;
      }
    }
    return open(place, !settings.precompressed(), null);
  }

  private static @Nullable Found compressed(
      Place original, FileTime modified, ContentCoding coding) {
    Place place = original.sibling(coding.suffix());
    if (!Files.exists(place.path())) {
      return null; // without the cost of an exception
    }
    try {
      boolean isOlder = attributes(place.path()).lastModifiedTime().compareTo(modified) < 0;
      return isOlder ? null : open(place, false, coding);
    } catch (IOException | HttpException _) {
      return null; // the original is served
    }
  }

  /// Opens a file and compares its attributes before and after, to ensure that they describe one
  /// state. A path that leaves the root in the meantime is refused when it is opened.
  private static Found open(Place place, boolean isOnlyForm, @Nullable ContentCoding coding)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      BasicFileAttributes before = attributes(place.path());
      if (!before.isRegularFile()) {
        throw notFound(); // also because to open a pipe waits for its writer
      }
      FileSource source = opened(place);
      boolean kept = false;
      try {
        BasicFileAttributes after = attributes(place.path());
        Instant now = Instant.now();
        EntityTag tag = EntityTag.of(after, now);
        boolean isStable = after.size() == source.size() && EntityTag.of(before, now).equals(tag);
        if (isStable || attempt == MAX_ATTEMPTS) {
          Instant modified = after.lastModifiedTime().toInstant().truncatedTo(ChronoUnit.SECONDS);
          EntityTag known = isStable ? tag : new EntityTag(tag.opaque(), true);
          Validators state = new Validators(known, modified, isOnlyForm);
          kept = true;
          return new Found(place.name(), source, state, coding);
        }
      } finally {
        if (!kept) {
          source.close();
        }
      }
    }
  }

  private static FileSource opened(Place place) throws IOException {
    try {
      return place.loop().openFile(place.root(), place.relative());
    } catch (NoSuchFileException | AccessDeniedException | NotDirectoryException e) {
      throw e;
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a file that exists cannot be opened", e);
      throw new HttpException(HttpStatus.SERVICE_UNAVAILABLE, "the file cannot be read");
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class);
  }

  static HttpException notFound() {
    return new HttpException(HttpStatus.NOT_FOUND, "no such file");
  }
}
