package dev.quickwater.http.engine;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.http.ClientConnection;

/// The channel handler of a client's connection, in every version of HTTP.
public interface ClientHandler extends ChannelHandler {

  /// The connection. Its methods may be called on any thread, except that callbacks run on the
  /// loop.
  ClientConnection connection();

  /// True if a new exchange would begin at once. Loop only.
  boolean canOpen();

  /// True if no further exchange can be opened. Loop only.
  boolean isClosed();

  /// The maximum number of open exchanges, as far as it is known. Loop only.
  int capacity();

  /// Sets a callback that runs each time [#canOpen] or [#isClosed] may have become true. Loop only.
  void onCapacity(Runnable action);
}
