package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.engine.AbstractExchange;
import dev.quickwater.http.engine.InputBuffer;
import dev.quickwater.http.engine.OutputBuffer;
import dev.quickwater.http1.ConnectionClock.Wait;
import org.jspecify.annotations.Nullable;

/// The part of an engine that both sides share, without I/O. Received bytes are buffered and
/// consumed in steps. Output is collected and flushed once. One timer serves all deadlines.
///
/// - Output that is written during a batch of reads is flushed at the end of the batch; other
///   output once at the end of the loop's turn.
/// - A call of [#process] during a step has no effect, because the loop of steps continues after
///   the step.
/// - After a violation no further input is interpreted.
abstract sealed class ConnectionEngine permits ServerEngine, ClientEngine {

  final Http1Settings settings;
  final InputBuffer input = new InputBuffer();
  final OutputBuffer output;
  final ConnectionClock clock;

  Closing closing = Closing.OPEN;

  /// True if the parser has examined all buffered bytes and needs more.
  boolean starved = true;

  boolean inputEnded;

  private Activity activity = Activity.NONE;

  /// The activity that runs, or that a callback has interrupted.
  private enum Activity {
    NONE,
    /// A batch of reads, whose end flushes.
    READING,
    /// [#process], which continues after the current step. Afterwards the earlier activity resumes.
    PROCESSING
  }

  ConnectionEngine(Http1Settings settings, ConnectionIo io) {
    this.settings = settings;
    this.output = new OutputBuffer(io);
    this.clock = new ConnectionClock(settings);
  }

  // ---- what a side provides ----

  /// The effects of this engine.
  abstract ConnectionIo io();

  /// The open exchange, or null.
  abstract @Nullable AbstractExchange current();

  /// The version of the current or last message of the peer.
  abstract HttpVersion version();

  /// Consumes one event of the parser, or delivers one.
  ///
  /// @return false if nothing more can be done now
  abstract boolean step() throws Http1Exception;

  /// True if reading must pause because of the buffered input.
  abstract boolean mustHold();

  /// The peer has ended its direction, and all input that can be consumed was consumed.
  abstract void inputHasEnded();

  /// The peer violated the protocol.
  abstract void violated(Http1Exception e);

  /// A failure inside the engine, for example exhausted memory: the parser may no longer match the
  /// input.
  abstract void abort(Throwable cause);

  /// What the connection waits for.
  abstract Wait currentWait();

  /// Nanoseconds until a deadline that [ConnectionClock] does not track, or
  /// [ConnectionClock#NEVER].
  long remainingElsewhere(long now) {
    return ConnectionClock.NEVER;
  }

  /// The output is about to be flushed. It may include bytes of the open exchange.
  void aboutToFlush() {}

  /// The connection has closed.
  abstract void closed(@Nullable Throwable cause);

  /// Closes the connection after the open exchange.
  abstract void drain();

  /// The time requested with [ConnectionIo#wakeAfter] has passed.
  abstract void timerFired();

  // ---- events of the connection ----

  final Http1Settings settings() {
    return settings;
  }

  /// The connection is open.
  final void start() {
    clock.start(io().now());
    updateTimer();
  }

  /// Bytes arrived; takes ownership.
  final void receive(ByteBuf bytes) {
    if (!closing.interprets()) {
      bytes.release();
      return;
    }
    if (activity == Activity.NONE) {
      activity = Activity.READING;
    }
    starved = false;
    try {
      input.add(bytes, io().allocator());
    } catch (Throwable t) {
      abort(t);
      throw t;
    }
    process();
  }

  /// The batch of reads has ended.
  final void readComplete() {
    activity = Activity.NONE;
    turnEnds();
  }

  /// A flush that was requested with [ConnectionIo#flushLater] is due.
  final void flushDue() {
    if (activity != Activity.READING) {
      turnEnds();
    }
  }

  /// The peer has ended its direction.
  void endInput() {
    inputEnded = true;
    resume();
  }

  /// True if the peer has ended its direction.
  final boolean isInputEnded() {
    return inputEnded;
  }

  /// The connection accepts bytes again.
  final void writable() {
    @Nullable AbstractExchange current = current();
    if (current != null && current.awaitsWritability()) {
      current.becameWritable();
    }
    resume();
  }

  /// Continues after a pause.
  final void resume() {
    process();
    flushUnlessReading();
  }

  // ---- input ----

  /// Consumes received bytes as far as the state allows.
  private void process() {
    if (activity == Activity.PROCESSING) {
      return;
    }
    Activity before = activity;
    activity = Activity.PROCESSING;
    try {
      while (closing.interprets() && step()) {
        // each step consumes an event of the parser, or delivers one
      }
    } catch (Http1Exception e) {
      violated(e);
    } catch (Throwable t) {
      abort(t);
      throw t;
    } finally {
      activity = before;
    }
    updateInput();
  }

  /// Releases an empty buffer, starts or pauses reading, and handles the end of the input.
  private void updateInput() {
    if (!closing.interprets()) {
      input.release();
      return;
    }
    input.trim(io().allocator());
    boolean held = !input.isEmpty() && !starved && mustHold();
    io().holdInput(held);
    if (inputEnded && !held) {
      inputHasEnded();
    }
  }

  /// The parser needs more bytes.
  final boolean starve() {
    starved = true;
    return false;
  }

  /// Delivers the next bytes of the incoming body.
  final void deliver(AbstractExchange current, int length) {
    ByteBuf bytes = input.take(length);
    clock.received(length, io().now());
    current.deliver(bytes);
  }

  /// Continues in this turn of the loop, unless [#process] is on the stack.
  final void resumeUnlessProcessing() {
    if (activity != Activity.PROCESSING) {
      io().resumeSoon();
    }
  }

  // ---- output ----

  final void flushUnlessReading() {
    if (activity == Activity.NONE && closing != Closing.CLOSED) {
      io().flushLater();
    }
  }

  /// The exchange requests a flush.
  final void flush() {
    clock.progressed(io().now());
    flushNow();
  }

  final void flushNow() {
    if (closing == Closing.CLOSED) {
      output.release();
    } else if (output.isPending()) {
      aboutToFlush();
      output.flush();
    }
  }

  /// Sends what was written and sets the timer for the current wait.
  final void turnEnds() {
    flushNow();
    if (closing != Closing.CLOSED) {
      updateTimer();
    }
  }

  // ---- time ----

  final ExchangeLimits limits() {
    @Nullable AbstractExchange current = current();
    return current == null ? settings.exchanges() : current.limits();
  }

  final void limitsChanged(AbstractExchange caller) {
    if (caller == current()) {
      updateTimer();
    }
  }

  final void updateTimer() {
    long now = io().now();
    clock.output(output.written(), output.unsent(), now);
    clock.waitFor(currentWait(), now);
    io().wakeAfter(Math.min(clock.remaining(limits(), now), remainingElsewhere(now)));
  }
}
