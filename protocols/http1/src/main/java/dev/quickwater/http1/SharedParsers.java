package dev.quickwater.http1;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.LoopLocal;
import dev.quickwater.common.LoopThread;
import org.jspecify.annotations.Nullable;

/// The parts of a request parser that hold nothing while a connection is idle, shared by the
/// connections of one loop.
///
/// - The head parser reads a complete head in one call and keeps nothing of the head.
/// - A connection needs a line scanner only while a head, or trailers, is incomplete. Most heads
///   arrive whole, so one spare scanner serves all connections in turn. A connection that begins a
///   head while another is inside one makes a second scanner.
///
/// A loop with its own thread has one instance. Where a host steps the loop, on a thread that is no
/// [LoopThread], each connection has one, because nothing is to stay behind in the host's thread.
/// Loop only.
final class SharedParsers {

  private static final LoopLocal<@Nullable SharedParsers> OF_THREAD =
      LoopLocal.withInitial("http1 parsers", () -> null);

  private final HeadParser head = new HeadParser();
  private @Nullable LineScanner spare;

  /// The instance of the loop whose thread the caller is on.
  static SharedParsers of(EventLoop loop) {
    if (!loop.inLoop() || !(Thread.currentThread() instanceof LoopThread)) {
      return new SharedParsers();
    }
    SharedParsers shared = OF_THREAD.getIfSet();
    if (shared == null) {
      shared = new SharedParsers();
      OF_THREAD.set(shared);
    }
    return shared;
  }

  HeadParser head() {
    return head;
  }

  /// A scanner for the caller alone, until it is released. [LineScanner#start] has to follow.
  LineScanner scanner() {
    @Nullable LineScanner found = spare;
    spare = null;
    return found == null ? new LineScanner() : found;
  }

  /// Takes ownership of a scanner that has no further use for the caller.
  void release(LineScanner scanner) {
    spare = scanner;
  }
}
