package dev.quickwater.io.posix;

import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.Channel;
import dev.quickwater.io.posix.socket.DescriptorAddress;
import dev.quickwater.io.posix.socket.DescriptorFile;
import dev.quickwater.io.posix.socket.OffLoopCalls;
import dev.quickwater.io.posix.socket.SocketOptions;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.file.Path;

/// An open descriptor with one owner.
///
/// - **Closed once:** [#close] has no effect after the first call, or after the descriptor was
///   taken by [#transfer], [#take], a file or a channel.
/// - **Not used afterwards:** after a close or a transfer, [#number] and the conversions throw,
///   because the number may belong to another owner.
/// - **Trust:** a descriptor from another process shares its state with that process, which can
///   make a socket blocking again and so stop a loop. Open channels only on descriptors of trusted
///   processes; `SO_PEERCRED` of Linux identifies the sender.
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

  /// Takes ownership of an open descriptor, for example an inherited one.
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

  /// Duplicates the descriptor of a channel's socket, to pass it on. The channel keeps its
  /// descriptor. Loop only.
  ///
  /// @throws UnsupportedOperationException if the channel's transport is not one of POSIX sockets:
  ///   NIO, in-VM
  public static OwnedDescriptor duplicateOf(Channel channel) throws IOException {
    return channel.getOption(SocketOptions.DUPLICATE);
  }

  /// Duplicates the descriptor: a second descriptor of the same file or socket.
  public OwnedDescriptor duplicate() throws IOException {
    return adopt(OffLoopCalls.duplicate(number()));
  }

  /// The number. This object keeps the ownership.
  ///
  /// @throws IllegalStateException if it was closed or taken
  public int number() {
    int open = number;
    if (open == GONE) {
      throw new IllegalStateException("the descriptor was closed or taken");
    }
    return open;
  }

  /// True until the descriptor is closed or taken.
  public boolean isOpen() {
    return number != GONE;
  }

  /// Ends the ownership of this object.
  ///
  /// @return the number; the caller owns the descriptor
  /// @throws IllegalStateException if it was closed or taken
  public int take() {
    int open = (int) NUMBER.getAndSet(this, GONE);
    if (open == GONE) {
      throw new IllegalStateException("the descriptor was closed or taken");
    }
    return open;
  }

  /// Moves the ownership to a new object, for example before a [DescriptorMessage] is closed.
  ///
  /// @throws IllegalStateException if it was closed or taken
  public OwnedDescriptor transfer() {
    return new OwnedDescriptor(take());
  }

  /// Converts the descriptor to a file to send from. The file owns the descriptor.
  ///
  /// @throws IOException if the descriptor does not support reads at positions; this object then
  ///   keeps the ownership
  /// @throws IllegalStateException if it was closed or taken
  public FileSource toFile() throws IOException {
    return DescriptorFile.adopt(OffLoopCalls.kernel(), this);
  }

  /// An address for bootstraps: for `ServerBootstrap.listen` if the socket listens, for
  /// `ClientBootstrap.connect` if it is a connected stream socket (TCP or Unix). Requires a
  /// transport of POSIX sockets, such as epoll. The channel takes ownership when it opens. If the
  /// future fails, the descriptor may still be open; closing this object is correct in every case.
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
