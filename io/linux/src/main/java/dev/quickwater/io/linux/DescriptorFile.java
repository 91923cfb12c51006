package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.SocketConstants;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;

/// An open file as a descriptor, which sendfile takes.
///
/// Any thread reads and closes, one at a time, whichever loop opened the file. Use after close
/// throws an [IllegalStateException]: the number of the descriptor may have another owner by then.
final class DescriptorFile implements FileSource {

  private static final int CLOSED = -1;
  private static final VarHandle FD;

  static {
    try {
      FD = MethodHandles.lookup().findVarHandle(DescriptorFile.class, "fd", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LinuxKernel kernel;
  private final Path path;
  private final long size;
  private volatile int fd;

  private DescriptorFile(LinuxKernel kernel, Path path, int fd, long size) {
    this.kernel = kernel;
    this.path = path;
    this.fd = fd;
    this.size = size;
  }

  static DescriptorFile open(LinuxKernel kernel, Path path) throws IOException {
    int fd = openDescriptor(kernel, path);
    try {
      return new DescriptorFile(kernel, path, fd, size(kernel, path, fd));
    } catch (IOException e) {
      kernel.close(fd);
      throw e;
    }
  }

  /// Takes a descriptor if it can be read at positions.
  static DescriptorFile adopt(LinuxKernel kernel, OwnedDescriptor descriptor) throws IOException {
    Path name = Path.of(descriptor.toString());
    long size = size(kernel, name, descriptor.number());
    return new DescriptorFile(kernel, name, descriptor.take(), size);
  }

  static int openDescriptor(LinuxKernel kernel, Path path) throws IOException {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new IOException("a file of another file system has no descriptor: " + path);
    }
    byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuf name = ByteBufAllocator.shared().allocate(bytes.length + 1);
    int fd;
    try {
      name.writeBytes(bytes).writeByte(0);
      // Non-blocking, so that a pipe in the place of a file cannot stop the loop.
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

  private static long size(LinuxKernel kernel, Path path, int fd) throws IOException {
    long size = kernel.lseek(fd, 0, SocketConstants.SEEK_END);
    // A folder has a size, too; reading zero bytes of it fails.
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
