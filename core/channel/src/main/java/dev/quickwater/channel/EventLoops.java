package dev.quickwater.channel;

import java.util.List;

/// The source of loops for the channels of a bootstrap: a group, or one loop. A proxy connects on
/// the loop of its front channel: the bytes stay on one thread.
public sealed interface EventLoops permits EventLoop, EventLoopGroup {

  /// The loop of the next channel; a single loop returns itself. Any thread.
  EventLoop next();

  /// All loops; a single loop returns itself.
  List<EventLoop> loops();
}
