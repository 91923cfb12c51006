package dev.quickwater.tls.jdk;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.LoopLocal;
import dev.quickwater.tls.library.RecordOutput;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The arrays in which the connections of one thread encrypt and decrypt, and the connection that
/// does so now.
///
/// The JDK takes twice the time for large records in native memory, and decrypts in the array of
/// its input, which other holders of a buffer may read. Therefore records are always copied.
final class Scratch {

  private static final LoopLocal<Scratch> LOCAL =
      LoopLocal.withInitial("tls.jdk.Scratch", Scratch::new);

  /// At least the packet size that the JDK's sessions report, 16,709 bytes.
  static final int MAX_RECORD = 17 << 10;

  /// Four full records; [dev.quickwater.tls.TlsEngine] processes about as many together.
  private static final int RECORDS = 4 * MAX_RECORD;

  /// Records to send.
  final ByteBuffer records;

  private ByteBuffer received;
  private @Nullable JdkConnection current;

  private Scratch() {
    records = ByteBuffer.allocate(RECORDS);
    received = ByteBuffer.allocate(RECORDS);
  }

  /// For one step of a handshake on a thread that ends after the step. It has room for one record
  /// to send.
  private Scratch(ByteBuffer received) {
    this.records = ByteBuffer.allocate(MAX_RECORD);
    this.received = received;
  }

  /// The scratch of this thread for a connection. Calls do not nest.
  static Scratch enter(JdkConnection connection) {
    Scratch scratch = LOCAL.get();
    scratch.current = connection;
    return scratch;
  }

  /// A scratch for a step on a thread that may block. There can be many such threads at once, and
  /// each waits, so the arrays are small.
  static Scratch enterStep(JdkConnection connection) {
    Scratch scratch = new Scratch(ByteBuffer.allocate(0));
    LOCAL.set(scratch);
    scratch.current = connection;
    return scratch;
  }

  /// Ends [#enterStep].
  void leaveStep() {
    leave();
    LOCAL.remove();
  }

  void leave() {
    current = null;
    records.clear();
  }

  /// The connection that runs on this thread.
  static JdkConnection current() {
    return Objects.requireNonNull(currentOrNull());
  }

  /// The connection that runs on this thread, or null.
  static @Nullable JdkConnection currentOrNull() {
    return LOCAL.get().current;
  }

  /// A copy of the readable bytes up to `end`, in an array.
  ByteBuffer copy(ByteBuf buffer, int end) {
    int length = end - buffer.readerIndex();
    if (length > received.capacity()) {
      received = ByteBuffer.allocate(length);
    }
    buffer.copyToArray(buffer.readerIndex(), received.array(), 0, length);
    return received.clear().limit(length);
  }

  /// Moves the records to the output.
  void flush(RecordOutput output) {
    int length = records.position();
    if (length > 0) {
      output.room(length).writeBytes(records.array(), 0, length);
      records.clear();
    }
  }
}
