package dev.quickwater.channel;

import java.util.List;

/// Where a bootstrap takes the loop of its next channel from: a group, or one loop. A proxy
/// connects on the loop of its front channel, so that bytes stay on one thread.
public sealed interface EventLoops permits EventLoop, EventLoopGroup {

  /// The loop of the next channel; a single loop is always itself. Any thread.
  EventLoop next();

  /// All of them; of a single loop itself.
  List<EventLoop> loops();
}
