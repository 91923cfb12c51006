package dev.quickwater.http2;

import java.util.function.IntConsumer;

/// A stream that sends numbers of bytes.
class FlowStream extends StreamFlow {

  long sent;
  int emptyFrames;
  int frames;
  int smallestFrame = Integer.MAX_VALUE;

  /// Bytes that one call of `send` takes at most.
  int takes = Integer.MAX_VALUE;

  /// What happens inside `send`.
  IntConsumer inside = _ -> {};

  FlowStream(int id) {
    super(id);
  }

  @Override
  int send(int allowed) {
    int count = Math.min(allowed, takes);
    if (allowed == 0) {
      emptyFrames++;
    } else {
      frames++;
      smallestFrame = Math.min(smallestFrame, count);
    }
    inside.accept(count);
    sent += count;
    return count;
  }

  static FlowStream[] many(int count) {
    FlowStream[] streams = new FlowStream[count];
    for (int i = 0; i < count; i++) {
      streams[i] = new FlowStream(2 * i + 1);
    }
    return streams;
  }

  static long sum(FlowStream... streams) {
    long sum = 0;
    for (FlowStream s : streams) {
      sum += s.sent;
    }
    return sum;
  }
}
