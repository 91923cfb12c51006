package dev.quickwater.http2;

import dev.quickwater.util.map.IntMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The open streams of a connection, and why the last ones were closed. Loop only.
final class Streams {

  private final IntMap<Stream> open = new IntMap<>();
  private final ClosedStreams closed = new ClosedStreams();

  /// Streams that this side has reset; null before the first one. They have a separate list,
  /// because a busy connection closes hundreds of other streams before the peer has received a
  /// reset.
  private @Nullable ClosedStreams reset;

  /// The ids of one side have the same low bit, which would leave half of a hash table unused.
  private static int key(int id) {
    return (id & 1) != 0 ? id >>> 1 : ~(id >>> 1);
  }

  @Nullable Stream find(int id) {
    return open.get(key(id));
  }

  void add(Stream stream) {
    open.put(key(stream.id), stream);
  }

  void remove(Stream stream, ClosedStreams.Reason reason) {
    open.remove(key(stream.id));
    if (reason == ClosedStreams.Reason.RESET_SENT) {
      resetSent(stream.id);
    } else {
      closed(stream.id, reason);
    }
  }

  /// Only ids of the client's streams are kept: a client sends no DATA and HEADERS on promised
  /// streams, and any that arrive are an error of the connection.
  private void closed(int id, ClosedStreams.Reason reason) {
    if ((id & 1) != 0) {
      closed.add(id, reason);
    }
  }

  /// Notes that this side has reset a stream, which may never have been open.
  void resetSent(int id) {
    @Nullable ClosedStreams known = reset;
    if (known == null) {
      known = new ClosedStreams();
      reset = known;
    }
    if (id > 0 && (id & 1) != 0) { // the peer has no name for negative ids
      known.add(id, ClosedStreams.Reason.RESET_SENT);
    }
  }

  /// Changes the id of a stream.
  void renumber(Stream stream, int id) {
    open.remove(key(stream.id));
    stream.id = id;
    open.put(key(id), stream);
  }

  ClosedStreams.Reason closeReason(int id) {
    if ((id & 1) == 0) {
      return ClosedStreams.Reason.UNKNOWN;
    }
    return reset != null && reset.reason(id) == ClosedStreams.Reason.RESET_SENT
        ? ClosedStreams.Reason.RESET_SENT
        : closed.reason(id);
  }

  int size() {
    return open.size();
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /// A view of the open streams. No stream may be added or removed during an iteration.
  Iterable<Stream> values() {
    return open.values();
  }

  /// Calls `action` with each stream that was open before the call and is still open. The action
  /// may add and remove streams.
  void forEach(Consumer<? super Stream> action) {
    for (int key : open.keys()) {
      @Nullable Stream stream = open.get(key);
      if (stream != null) {
        action.accept(stream);
      }
    }
  }
}
