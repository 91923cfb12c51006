package dev.quickwater.http1;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.LoopLocal;
import dev.quickwater.common.LoopThread;
import dev.quickwater.http.engine.DateCache;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The parts of a request parser that hold no state of an idle connection, shared by the
/// connections of one loop.
///
/// - The head parser reads a complete head in one call and keeps nothing of the head.
/// - A connection needs a line scanner only while a head, or trailers, is incomplete. Most heads
///   arrive in one read, so one spare scanner serves all connections in turn. A connection that
///   begins a head while another connection uses the spare scanner creates a second one.
///
/// A loop with a dedicated thread has one instance. When a host steps the loop on a thread that is
/// not a [LoopThread], each connection has one, because the thread of the host must not keep an
/// instance. Loop only.
final class SharedParsers {

  private static final LoopLocal<@Nullable SharedParsers> OF_THREAD =
      LoopLocal.withInitial("http1 parsers", () -> null);

  private final HeadParser head = new HeadParser();
  private final KeptResponse keptResponse = new KeptResponse();
  private final @Nullable DateCache dates;
  private @Nullable LineScanner spare;

  /// For parsers without a connection: there is no Date field.
  SharedParsers() {
    this(null);
  }

  private SharedParsers(@Nullable DateCache dates) {
    this.dates = dates;
  }

  /// The instance of the loop of the calling thread; a new instance if the calling thread is not
  /// the dedicated thread of a loop.
  static SharedParsers of(EventLoop loop) {
    if (!loop.inLoop() || !(Thread.currentThread() instanceof LoopThread)) {
      return new SharedParsers(DateCache.of(loop));
    }
    SharedParsers shared = OF_THREAD.getIfSet();
    if (shared == null) {
      shared = new SharedParsers(DateCache.of(loop));
      OF_THREAD.set(shared);
    }
    return shared;
  }

  /// The Date field and the empty line, see [DateCache#line].
  byte[] date() {
    return Objects.requireNonNull(dates, "no loop").line();
  }

  /// The last response of the loop.
  KeptResponse keptResponse() {
    return keptResponse;
  }

  HeadParser head() {
    return head;
  }

  /// A scanner for exclusive use until [#release]. The caller must call [LineScanner#start].
  LineScanner scanner() {
    @Nullable LineScanner found = spare;
    spare = null;
    return found == null ? new LineScanner() : found;
  }

  /// Returns a scanner that the caller has finished with.
  void release(LineScanner scanner) {
    spare = scanner;
  }
}
