package dev.quickwater.channel.spi;

/// Counts the bytes that wait to be sent on one channel, against its water marks and its hard
/// limit. A transport adds the cost of what it queues and removes the cost of what was sent; a cost
/// is the bytes in memory plus [#MESSAGE] for each message. The channel updates the writability in
/// [ChannelEvents#drained]. Loop thread only, except for [#pending].
public interface WriteAccount {

  /// The memory of a message besides its bytes: a handle, a slot, and the rounding to a block.
  int MESSAGE = 64;

  /// Adds the cost of a queued message.
  void add(long cost);

  /// Removes the cost of sent bytes.
  void remove(long cost);

  /// True if a message of this cost fits below the hard limit. The cost of a submitted message that
  /// is in the pipeline is not counted twice.
  boolean hasRoom(long cost);

  /// True if the total is above the hard limit.
  boolean isOverLimit();

  /// The total cost, including messages of other threads that have not reached the loop. Any
  /// thread.
  long pending();
}
