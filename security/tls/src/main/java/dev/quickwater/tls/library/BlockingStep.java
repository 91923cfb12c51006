package dev.quickwater.tls.library;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A part of a handshake that may block, for example because the private key is in another process.
///
/// - **Threads:** one thread that may block calls [#run]; the other methods are called on the
///   thread of the connection. The lock orders the end of the run with [#cancel]: the records that
///   the step produced belong to the connection if [#isDone], and are released otherwise.
/// - **Cancelling** interrupts the thread that runs.
public final class BlockingStep implements Runnable {

  /// The work: appends records to the output.
  public interface Work {
    /// @return the index behind the input that was processed
    int perform(byte[] input, RecordOutput output) throws TlsException;
  }

  private enum State {
    NEW,
    RUNNING,
    DONE,
    CANCELLED
  }

  private final Work work;
  private final byte[] input;

  /// The shared allocator, because another thread than that of the connection allocates.
  private final RecordOutput output = new RecordOutput(ByteBufAllocator.shared());

  private State state = State.NEW;
  private @Nullable Thread runner;
  private int processed;
  private @Nullable TlsException failure;

  /// @param input the records to process
  public BlockingStep(byte[] input, Work work) {
    this.input = input;
    this.work = work;
    this.processed = input.length;
  }

  @Override
  public void run() {
    synchronized (this) {
      if (state != State.NEW) {
        return;
      }
      state = State.RUNNING;
      runner = Thread.currentThread();
    }
    int end = input.length;
    @Nullable TlsException failed = null;
    try {
      end = work.perform(input, output);
    } catch (TlsException e) {
      failed = e;
    } catch (Throwable t) { // the connection waits for the end of the step
      failed =
          TlsException.local(TlsAlert.INTERNAL_ERROR, "a step of the handshake failed: " + t, t);
    }
    ended(end, failed);
  }

  private synchronized void ended(int end, @Nullable TlsException failed) {
    runner = null;
    if (state == State.CANCELLED) {
      releaseOutput();
      return;
    }
    processed = end;
    failure = failed;
    state = State.DONE;
  }

  private void releaseOutput() {
    @Nullable ByteBuf records = output.take();
    if (records != null) {
      records.release();
    }
  }

  /// True once the work has ended.
  public synchronized boolean isDone() {
    return state == State.DONE;
  }

  /// The number of bytes that were received and not processed. They follow the handshake.
  public synchronized int remaining() {
    return input.length - processed;
  }

  /// The bytes of [#remaining]. Moves the records of the step to the output before.
  ///
  /// @throws TlsException if the work failed
  public synchronized byte[] complete(RecordOutput target) throws TlsException {
    state = State.CANCELLED;
    @Nullable ByteBuf records = output.take();
    if (records != null) {
      target.room(records.readableBytes()).writeBytes(records);
      records.release();
    }
    if (failure != null) {
      throw failure;
    }
    return Arrays.copyOfRange(input, processed, input.length);
  }

  /// Releases what the step produced, and interrupts the thread that runs it.
  public synchronized void cancel() {
    boolean done = state == State.DONE;
    state = State.CANCELLED;
    if (done) {
      releaseOutput();
    }
    if (runner != null) {
      runner.interrupt();
    }
  }
}
