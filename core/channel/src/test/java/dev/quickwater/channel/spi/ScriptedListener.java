package dev.quickwater.channel.spi;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
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
  public @Nullable IOException pendingError() {
    return null;
  }

  @Override
  public void close() {}

  @Override
  public @Nullable SocketAddress localAddress() {
    return null;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return null;
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) {}

  @Override
  public <T> T getOption(SocketOption<T> option) {
    throw new UnsupportedOperationException("no options");
  }
}
