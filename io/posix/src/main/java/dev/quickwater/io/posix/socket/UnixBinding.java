package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.SOCK_STREAM;

import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.UnixAddresses;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// Binds Unix sockets to their names.
///
/// A path stays after its socket is closed, and the next bind to it fails. The file is never
/// deleted here: it may belong to another process, or be no socket. The failure describes the file,
/// and the operator decides.
final class UnixBinding {

  private UnixBinding() {}

  /// @param what the start of the failure's message: `cannot listen on `
  static void bind(LoopSockets sockets, int fd, SocketAddress local, String what)
      throws IOException {
    long address = sockets.scratch.address;
    int result = sockets.kernel.bind(fd, address, UnixAddresses.encode(local, address));
    if (result < 0) {
      if (Errno.isInUse(result) && local instanceof UnixDomainSocketAddress path) {
        throw new BindException(what + local + ": " + occupant(sockets, path));
      }
      throw Errno.bindFailure(what + local, result);
    }
  }

  private static String occupant(LoopSockets sockets, UnixDomainSocketAddress address)
      throws IOException {
    Path path = address.getPath();
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      return "the path exists and is no socket (EADDRINUSE)";
    }
    return isDead(sockets, address)
        ? "the path exists, but no process listens on its socket; delete the file if it was left"
            + " behind (EADDRINUSE)"
        : "another socket is bound to the path (EADDRINUSE)";
  }

  /// Tests by connecting: a socket of another type and a socket without a process fail with
  /// different errors.
  private static boolean isDead(LoopSockets sockets, UnixDomainSocketAddress address)
      throws IOException {
    int probe = UnixSocket.create(sockets, SOCK_STREAM);
    try {
      long at = sockets.scratch.address;
      int result = sockets.kernel.connect(probe, at, UnixAddresses.encode(address, at));
      return Errno.isRefused(result);
    } finally {
      sockets.kernel.close(probe);
    }
  }
}
