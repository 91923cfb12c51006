package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.posix.OwnedDescriptor;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.io.posix.gate.SocketConstants;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// An open file with a descriptor for sendfile.
///
/// Any thread may read and close, one at a time. Use after close throws an [IllegalStateException],
/// because the number of the descriptor may have another owner.
public final class DescriptorFile implements FileSource {

  private static final int CLOSED = -1;

  /// The folder of links from the descriptors of this process to their files.
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private static final VarHandle FD;

  static {
    try {
      FD = MethodHandles.lookup().findVarHandle(DescriptorFile.class, "fd", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Kernel kernel;
  private final Path path;
  private final long size;
  private volatile int fd;

  private DescriptorFile(Kernel kernel, Path path, int fd, long size) {
    this.kernel = kernel;
    this.path = path;
    this.fd = fd;
    this.size = size;
  }

  static DescriptorFile open(Kernel kernel, Path path) throws IOException {
    int fd = openDescriptor(kernel, path);
    try {
      return new DescriptorFile(kernel, path, fd, size(kernel, path, fd));
    } catch (IOException e) {
      kernel.close(fd);
      throw e;
    }
  }

  /// Opens a file below a folder, then compares the path of the descriptor with the path that was
  /// found. A folder that is replaced by a link meanwhile therefore does not lead out of `root`.
  /// Without `/proc`, opens the folders one by one.
  static FileSource openBelow(Kernel kernel, Path root, String relative) throws IOException {
    Path real = ChannelFileSource.resolve(root, relative);
    DescriptorFile file = open(kernel, real);
    Path opened;
    try {
      opened = Files.readSymbolicLink(OPEN_FILES.resolve(Integer.toString(file.fd())));
    } catch (IOException _) {
      file.close();
      return ChannelFileSource.open(root, relative);
    }
    if (!opened.equals(real)) {
      file.close();
      throw new NoSuchFileException(relative, null, "a folder of its path was replaced");
    }
    return file;
  }

  /// Takes ownership of a descriptor if it supports reads at positions.
  public static DescriptorFile adopt(Kernel kernel, OwnedDescriptor descriptor) throws IOException {
    Path name = Path.of(descriptor.toString());
    long size = size(kernel, name, descriptor.number());
    return new DescriptorFile(kernel, name, descriptor.take(), size);
  }

  /// Opens a file for reading and returns its number.
  public static int openDescriptor(Kernel kernel, Path path) throws IOException {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new IOException("a file of another file system has no descriptor: " + path);
    }
    byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuf name = ByteBufAllocator.shared().allocate(bytes.length + 1);
    int fd;
    try {
      name.writeBytes(bytes).writeByte(0);
      // Non-blocking: a pipe in the place of the file must not stop the loop.
      fd =
          kernel.open(
              UnsafeViews.address(name, 0),
              SocketConstants.O_RDONLY
                  | SocketConstants.O_CLOEXEC
                  | SocketConstants.O_NOFOLLOW
                  | SocketConstants.O_NONBLOCK);
    } finally {
      name.release();
    }
    if (fd < 0) {
      throw Errno.fileFailure(path, fd);
    }
    return fd;
  }

  private static long size(Kernel kernel, Path path, int fd) throws IOException {
    long size = kernel.lseek(fd, 0, SocketConstants.SEEK_END);
    // A folder has a size too. Reading zero bytes of it fails.
    long problem = size < 0 ? size : kernel.pread(fd, 0, 0, 0);
    if (problem < 0) {
      throw Errno.fileFailure(path, problem);
    }
    return size;
  }

  int fd() {
    int open = fd;
    if (open == CLOSED) {
      throw new IllegalStateException("the file is closed: " + path);
    }
    return open;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public int read(long position, ByteBuf target, int length) throws IOException {
    int open = fd();
    target.ensureWritable(length);
    int index = target.writerIndex();
    if (!UnsafeViews.isNative(target)) {
      throw new UnsupportedOperationException("reads into native buffers only");
    }
    long read = kernel.pread(open, UnsafeViews.address(target, index), length, position);
    if (read < 0) {
      throw Errno.fileFailure(path, read);
    }
    if (read == 0) {
      return -1;
    }
    target.writerIndex(index + (int) read);
    return (int) read;
  }

  @Override
  public void close() {
    int open = (int) FD.getAndSet(this, CLOSED);
    if (open != CLOSED) {
      kernel.close(open);
    }
  }
}
