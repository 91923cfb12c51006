package dev.quickwater.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// A file source over a `FileChannel`, for every platform.
public final class ChannelFileSource implements FileSource {

  private final FileChannel channel;
  private final long size;

  private ChannelFileSource(FileChannel channel, long size) {
    this.channel = channel;
    this.size = size;
  }

  /// Opens a file for reading. If the last element of the path is a symbolic link, the call fails.
  ///
  /// @throws IOException if it does not exist, is a link or may not be read
  public static ChannelFileSource open(Path path) throws IOException {
    return of(FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  private static ChannelFileSource of(FileChannel channel) throws IOException {
    try {
      return new ChannelFileSource(channel, channel.size());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// Opens a file below a directory for reading. Symbolic links are followed if they stay below the
  /// directory.
  ///
  /// The directories between `root` and the file are opened one by one without following links. A
  /// directory that is replaced by a link during the call therefore does not lead out of `root`.
  ///
  /// @param root a real path ([Path#toRealPath])
  /// @throws NoSuchFileException if there is no such file, or it is not below `root`
  public static ChannelFileSource open(Path root, String relative) throws IOException {
    Path real = resolve(root, relative);
    Path below = root.relativize(real);
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(root)) {
      if (folder instanceof SecureDirectoryStream<Path> secure) {
        return openStepwise(secure, below);
      }
    }
    return open(real);
  }

  /// The real path of a file.
  ///
  /// @param root a real path
  /// @throws NoSuchFileException if there is no such file, or it is not below `root`
  public static Path resolve(Path root, String relative) throws IOException {
    Path real;
    try {
      real = root.resolve(relative).toRealPath();
    } catch (InvalidPathException e) {
      throw new NoSuchFileException(relative, null, e.getMessage());
    }
    if (!real.startsWith(root) || real.equals(root)) {
      throw new NoSuchFileException(relative);
    }
    return real;
  }

  private static ChannelFileSource openStepwise(SecureDirectoryStream<Path> top, Path below)
      throws IOException {
    SecureDirectoryStream<Path> folder = top;
    try {
      for (int i = 0; i < below.getNameCount() - 1; i++) {
        SecureDirectoryStream<Path> next =
            folder.newDirectoryStream(below.getName(i), LinkOption.NOFOLLOW_LINKS);
        if (folder != top) {
          folder.close();
        }
        folder = next;
      }
      SeekableByteChannel opened =
          folder.newByteChannel(
              below.getFileName(), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
      if (!(opened instanceof FileChannel channel)) {
        opened.close();
        throw new NoSuchFileException(below.toString(), null, "it has no file channel");
      }
      return of(channel);
    } finally {
      if (folder != top) {
        folder.close();
      }
    }
  }

  /// The channel, for `transferTo`. This object keeps ownership of it.
  public FileChannel channel() {
    return channel;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public int read(long position, ByteBuf target, int length) throws IOException {
    return Views.write(target, length, view -> channel.read(view, position));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
