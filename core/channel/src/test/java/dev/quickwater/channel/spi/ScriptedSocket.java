package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A socket whose kernel is a list of answers.
final class ScriptedSocket implements StreamSocket {

  /// Lengths of the next reads; 0 or an empty list for none now, -1 for the end.
  final ArrayDeque<Integer> reads = new ArrayDeque<>();

  /// Room in the buffers that were offered.
  final List<Integer> rooms = new ArrayList<>();

  final List<Integer> interests = new ArrayList<>();
  final StringBuilder sent = new StringBuilder();

  /// Bytes that are still taken.
  int room = Integer.MAX_VALUE;

  int writes;
  boolean closed;
  boolean usedAfterClose;
  @Nullable IOException writeFailure;
  @Nullable IOException interestFailure;
  @Nullable IOException error;
  @Nullable RuntimeException fault;

  /// Of the next read or write.
  @Nullable Error noMemory;

  void readable(int length) {
    reads.add(length);
  }

  @Override
  public void interest(int events) throws IOException {
    if (interestFailure != null) {
      throw interestFailure;
    }
    interests.add(events);
  }

  @Override
  public int read(ByteBuf target) {
    requireMemory();
    if (fault != null) {
      throw fault;
    }
    rooms.add(target.writableBytes());
    @Nullable Integer length = reads.poll();
    if (length == null) {
      return 0;
    }
    if (length > 0) {
      int some = Math.min(length, target.writableBytes());
      target.writeBytes(new byte[some]);
      return some;
    }
    return length;
  }

  @Override
  public boolean write(StreamOutput output) throws IOException {
    writes++;
    requireMemory();
    if (writeFailure != null) {
      throw writeFailure;
    }
    ByteBuf first = (ByteBuf) output.first();
    int length = Math.min(room, first.readableBytes());
    byte[] bytes = new byte[length];
    first.copyToArray(first.readerIndex(), bytes, 0, length);
    sent.append(new String(bytes, StandardCharsets.ISO_8859_1));
    room -= length;
    boolean all = length == first.readableBytes();
    output.progress(length);
    return all;
  }

  private void requireMemory() {
    if (noMemory != null) {
      throw noMemory;
    }
  }

  @Override
  public boolean connect(SocketAddress remote, @Nullable SocketAddress local) {
    return true;
  }

  @Override
  public void finishConnect() {}

  @Override
  public @Nullable IOException pendingError() {
    return error;
  }

  @Override
  public void shutdownOutput() {
    usedAfterClose |= closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
