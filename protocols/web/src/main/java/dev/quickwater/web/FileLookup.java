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
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// A regular file below a directory, open for sending.
///
/// @param name the name of the file, for its type
/// @param source the open file; its holder closes it
/// @param modified when it was modified, in whole seconds
record FileLookup(String name, FileSource source, Instant modified) {

  private static final System.Logger LOG = System.getLogger(StaticFiles.class.getName());

  /// Opens a file. It blocks: for a virtual thread.
  ///
  /// @throws HttpException with 404 if there is no such regular file below `root`, or with 503
  static FileLookup open(EventLoop loop, Path root, String relative) {
    Path file;
    try {
      file = ChannelFileSource.resolve(root, relative);
    } catch (IOException _) {
      throw new HttpException(HttpStatus.NOT_FOUND, "no such file");
    }
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new HttpException(HttpStatus.NOT_FOUND, "no such file");
      }
      FileSource source = loop.openFile(root, relative);
      Instant modified = attributes.lastModifiedTime().toInstant();
      return new FileLookup(
          String.valueOf(file.getFileName()), source, modified.truncatedTo(ChronoUnit.SECONDS));
    } catch (NoSuchFileException | AccessDeniedException | NotDirectoryException _) {
      throw new HttpException(HttpStatus.NOT_FOUND, "no such file");
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a file that exists cannot be opened", e);
      throw new HttpException(HttpStatus.SERVICE_UNAVAILABLE, "the file cannot be read");
    }
  }

  void close() {
    try {
      source.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a file cannot be closed", e);
    }
  }
}
