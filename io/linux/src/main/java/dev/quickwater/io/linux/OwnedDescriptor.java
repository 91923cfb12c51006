package dev.quickwater.io.linux;

import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.Channel;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.SocketConstants;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.file.Path;

/// An open descriptor with one owner.
///
/// - **Closed once:** [#close] has an effect the first time, and none after the descriptor was
///   taken by [#transfer], [#take], a file or a channel.
/// - **Not used afterwards:** [#number] and what turns it into something else throw then, because
///   the number may belong to another owner.
/// - **Trust:** a descriptor that another process passed shares its state with that process, which
///   may make a socket blocking again and so stop a loop. Open channels on descriptors of processes
///   that are trusted; [LinuxSocketOptions#SO_PEERCRED] tells who passed them.
///
/// Any thread.
public final class OwnedDescriptor implements AutoCloseable {

  private static final int GONE = -1;
  private static final VarHandle NUMBER;

  static {
    try {
      NUMBER = MethodHandles.lookup().findVarHandle(OwnedDescriptor.class, "number", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int number;

  private OwnedDescriptor(int number) {
    this.number = number;
  }

  /// Takes ownership of an open descriptor, for example one that this process has inherited.
  ///
  /// @throws IllegalArgumentException if the number is negative
  public static OwnedDescriptor adopt(int number) {
    if (number < 0) {
      throw new IllegalArgumentException("descriptor " + number + ", expected 0 or more");
    }
    return new OwnedDescriptor(number);
  }

  /// Opens a file for reading. A symbolic link as the last element of the path is refused.
  public static OwnedDescriptor open(Path path) throws IOException {
    return adopt(DescriptorFile.openDescriptor(OffLoopCalls.kernel(), path));
  }

  /// Another descriptor of a channel's socket, to pass on; the channel keeps its own. Loop only.
  ///
  /// @throws UnsupportedOperationException if the channel is not one of epoll
  public static OwnedDescriptor duplicateOf(Channel channel) throws IOException {
    return channel.getOption(SocketOptions.DUPLICATE);
  }

  /// Another descriptor of the same file or socket.
  public OwnedDescriptor duplicate() throws IOException {
    return duplicate(OffLoopCalls.kernel(), number());
  }

  static OwnedDescriptor duplicate(LinuxKernel kernel, int fd) throws IOException {
    int result = kernel.fcntl(fd, SocketConstants.F_DUPFD_CLOEXEC, 0);
    if (result < 0) {
      throw Errno.failure("fcntl", result);
    }
    return adopt(result);
  }

  /// The number, which this object still owns.
  ///
  /// @throws IllegalStateException if it was closed or taken
  public int number() {
    int open = number;
    if (open == GONE) {
      throw new IllegalStateException("the descriptor was closed or taken");
    }
    return open;
  }

  /// True until it is closed or taken.
  public boolean isOpen() {
    return number != GONE;
  }

  /// Ends the ownership of this object.
  ///
  /// @return the number, which the caller owns
  /// @throws IllegalStateException if it was closed or taken
  public int take() {
    int open = (int) NUMBER.getAndSet(this, GONE);
    if (open == GONE) {
      throw new IllegalStateException("the descriptor was closed or taken");
    }
    return open;
  }

  /// Moves the descriptor to a new object, for example out of a [DescriptorMessage] that is closed.
  ///
  /// @throws IllegalStateException if it was closed or taken
  public OwnedDescriptor transfer() {
    return new OwnedDescriptor(take());
  }

  /// A file to send from, which takes the descriptor.
  ///
  /// @throws IOException if it is no file that can be read at positions; it stays open here
  /// @throws IllegalStateException if it was closed or taken
  public FileSource toFile() throws IOException {
    return DescriptorFile.adopt(OffLoopCalls.kernel(), this);
  }

  /// An address that bootstraps take: `ServerBootstrap.listen` for a socket that listens,
  /// `ClientBootstrap.connect` for a connected stream socket, TCP or Unix, on epoll. The channel
  /// takes the descriptor when it opens. If the future fails, the descriptor may still be open:
  /// closing this object is right in every case.
  public SocketAddress asAddress() {
    return new DescriptorAddress(this);
  }

  @Override
  public void close() {
    int open = (int) NUMBER.getAndSet(this, GONE);
    if (open != GONE) {
      OffLoopCalls.close(open);
    }
  }

  @Override
  public String toString() {
    int open = number;
    return open == GONE ? "closed descriptor" : "descriptor " + open;
  }
}
