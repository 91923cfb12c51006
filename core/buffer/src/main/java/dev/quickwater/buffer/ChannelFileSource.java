package dev.quickwater.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file source over a `FileChannel`, for every platform.
public final class ChannelFileSource implements FileSource {

  private final FileChannel channel;
  private final long size;

  private ChannelFileSource(FileChannel channel, long size) {
    this.channel = channel;
    this.size = size;
  }

  /// Opens a file to read; a symbolic link as the last element of the path is refused.
  ///
  /// @throws IOException if it does not exist, is a link or may not be read
  public static ChannelFileSource open(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try {
      return new ChannelFileSource(channel, channel.size());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// The channel, for `transferTo`; it stays this object's own.
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
