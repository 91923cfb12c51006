package dev.quickwater.http2;

import java.util.function.IntConsumer;

/// A stream that counts the bytes it sends.
class FlowStream extends StreamFlow {

  long sent;
  int emptyFrames;
  int frames;
  int smallestFrame = Integer.MAX_VALUE;

  /// The maximum number of bytes that one call of `send` sends.
  int maxPerSend = Integer.MAX_VALUE;

  /// An action during `send`.
  IntConsumer inside = _ -> {};

  FlowStream(int id) {
    super(id);
  }

  @Override
  int send(int allowed) {
    int count = Math.min(allowed, maxPerSend);
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
