package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.http.engine.EngineIo;
import org.jspecify.annotations.Nullable;

/// The effects of a [ConnectionEngine]. Loop only.
interface ConnectionIo extends EngineIo {

  /// Replaces the engine by the handlers of `initializer`, which receive `rest`, the bytes after
  /// the message that opened the tunnel.
  void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest);
}
