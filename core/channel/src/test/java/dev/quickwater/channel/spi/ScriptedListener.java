package dev.quickwater.channel.spi;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A listening socket whose kernel is a list of answers.
final class ScriptedListener implements ListenerSocket {

  final ArrayDeque<AcceptedSocket> connections = new ArrayDeque<>();
  final List<Integer> interests = new ArrayList<>();
  @Nullable IOException interestFailure;

  /// Of the next accept.
  @Nullable Error noMemory;

  @Override
  public void interest(int events) throws IOException {
    if (interestFailure != null) {
      throw interestFailure;
    }
    interests.add(events);
  }

  @Override
  public @Nullable AcceptedSocket accept() {
    if (noMemory != null) {
      throw noMemory;
    }
    return connections.poll();
  }

  @Override
  public void close() {}
}
