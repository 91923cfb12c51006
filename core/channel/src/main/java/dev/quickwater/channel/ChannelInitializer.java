package dev.quickwater.channel;

/// Puts the handlers into a new channel's pipeline, on its loop, before its first event.
@FunctionalInterface
public interface ChannelInitializer {

  /// Called once for each channel. An exception closes the channel.
  void initialize(Channel channel) throws Exception;
}
