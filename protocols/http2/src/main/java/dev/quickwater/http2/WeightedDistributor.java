package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// Divides the bytes by priority: by urgency and incremental of RFC 9218, and by weight.
///
/// - **Urgencies are strict levels.** A level sends only if no more urgent level can send, as RFC
///   9218 section 10 recommends: a browser needs the whole style sheet first, not a share of it.
///   Urgencies order the streams of one connection only, so a peer cannot starve another peer.
/// - **Incremental streams** of a level share it by weight: a fair queue by virtual time, in which
///   a byte costs 1/weight. A stream that was idle continues at the later one of the present time
///   and its due time: idle time earns nothing, and bytes already sent stay charged. Streams are
///   incremental until a priority arrives.
/// - **Non-incremental streams** of a level are sent one after the other, in the order of their
///   ids. Together they count as one incremental stream, with the weight of the stream that sends.
/// - A turn is an equal part of the bytes that may be sent, but at least [#MIN_CHUNK] and at most
///   [#MAX_CHUNK]. The exact number of sent bytes is charged, so shares differ by at most one chunk
///   and are exact in the long run.
final class WeightedDistributor implements Distributor {

  /// The urgencies of RFC 9218 section 4.1.
  static final int LEVELS = 8;

  /// The maximum number of bytes of a turn: a frame of the default maximum size.
  static final int MAX_CHUNK = Frames.MIN_MAX_SIZE;

  /// The virtual time of a byte at weight 1. The rounding error is below 1/65,536 at weight 256.
  /// Times of a level are compared by difference, so an overflow of `long` is harmless.
  private static final long BYTE = 1 << 24;

  /// The virtual time of a byte by weight. A division in each turn would take as long as the rest
  /// of the turn.
  private static final int[] COSTS = new int[StreamFlow.MAX_WEIGHT + 1];

  static {
    for (int weight = 1; weight < COSTS.length; weight++) {
      COSTS[weight] = (int) (BYTE / weight);
    }
  }

  private static final byte SHARED = 1;
  private static final byte SEQUENTIAL = 2;
  private static final byte EMPTY_FRAME = 3;

  /// The streams of one urgency.
  private static final class Level {
    final StreamHeap shared = new StreamHeap(SHARED, false);
    final StreamHeap sequential = new StreamHeap(SEQUENTIAL, true);

    /// The present: the virtual time of the last turn.
    long now;

    /// When the next bytes of the non-incremental streams are due.
    long sequentialDue;

    boolean isEmpty() {
      return shared.size() + sequential.size() == 0;
    }

    /// The number of streams that take turns.
    int parties() {
      return shared.size() + Math.min(1, sequential.size());
    }

    @Nullable StreamFlow first() {
      @Nullable StreamFlow a = shared.first();
      @Nullable StreamFlow b = sequential.first();
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return sequentialDue - a.due <= 0 ? b : a;
    }

    void add(StreamFlow s) {
      if (s.incremental) {
        s.due = later(s.due);
        shared.add(s);
      } else {
        if (sequential.size() == 0) {
          sequentialDue = later(sequentialDue);
        }
        sequential.add(s);
      }
    }

    private long later(long due) {
      return due - now > 0 ? due : now;
    }

    /// @param wasSequential the kind of the stream when its turn began
    void charge(StreamFlow s, boolean wasSequential, int bytes) {
      long cost = (long) bytes * COSTS[s.weight()];
      if (wasSequential) {
        now = sequentialDue;
        sequentialDue += cost;
      } else {
        now = s.due;
        s.due += cost;
        if (s.place == SHARED) {
          shared.increased(s);
        }
      }
    }
  }

  /// By urgency; created on first use, to keep idle connections small.
  private final @Nullable Level[] levels = new @Nullable Level[LEVELS];

  private final StreamList emptyFrames = new StreamList(EMPTY_FRAME);

  @Override
  public void offer(StreamFlow s, int bytes, boolean emptyFrame) {
    s.offered = bytes;
    if (bytes > 0) {
      if (s.place == EMPTY_FRAME) {
        emptyFrames.remove(s);
      }
      if (s.place == StreamList.NONE) {
        level(s.urgency).add(s);
      }
    } else if (emptyFrame) {
      if (s.place != EMPTY_FRAME) {
        unlink(s);
        emptyFrames.addLast(s);
      }
    } else {
      unlink(s);
    }
  }

  private Level level(int urgency) {
    @Nullable Level level = levels[urgency];
    if (level == null) {
      level = new Level();
      levels[urgency] = level;
    }
    return level;
  }

  private void unlink(StreamFlow s) {
    switch (s.place) {
      case SHARED -> level(s.urgency).shared.remove(s);
      case SEQUENTIAL -> level(s.urgency).sequential.remove(s);
      case EMPTY_FRAME -> emptyFrames.remove(s);
      default -> {}
    }
  }

  @Override
  public void remove(StreamFlow s) {
    s.offered = 0;
    unlink(s);
  }

  @Override
  public boolean isEmpty() {
    return emptyFrames.isEmpty() && firstLevel() == null;
  }

  private @Nullable Level firstLevel() {
    for (@Nullable Level level : levels) {
      if (level != null && !level.isEmpty()) {
        return level;
      }
    }
    return null;
  }

  @Override
  public int distribute(int maxBytes, Sender sender) {
    emptyFrames.sendEmpty(sender);
    int left = maxBytes;
    @Nullable Level level;
    @Nullable StreamFlow s;
    while (left > 0 && (level = firstLevel()) != null && (s = level.first()) != null) {
      int part = left / level.parties();
      int chunk = Math.max(MIN_CHUNK, Math.min(MAX_CHUNK, part));
      int allowed = Math.min(Math.min(chunk, s.offered), left);
      boolean sequential = s.place == SEQUENTIAL;
      int sent = sender.send(s, allowed);
      if (levels[s.urgency] == level) { // otherwise its priority has changed meanwhile
        level.charge(s, sequential, sent);
      }
      left -= sent;
      emptyFrames.sendEmpty(sender);
      if (sent < allowed) {
        break;
      }
    }
    return maxBytes - left;
  }

  @Override
  public void prioritize(StreamFlow s, int urgency, boolean incremental) {
    if (urgency < 0 || urgency >= LEVELS) {
      throw new IllegalArgumentException("urgency " + urgency + ", expected 0 to 7");
    }
    boolean waits = s.place == SHARED || s.place == SEQUENTIAL;
    if (waits) {
      unlink(s);
    }
    if (s.urgency != urgency) {
      s.due = level(urgency).now; // times of different levels are not comparable
    }
    s.urgency = (byte) urgency;
    s.incremental = incremental;
    if (waits) {
      level(urgency).add(s);
    }
  }

  @Override
  public void weight(StreamFlow s, int weight) {
    s.weight(weight);
  }
}
