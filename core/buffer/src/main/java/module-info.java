/// Buffers and the allocators behind them.
module dev.quickwater.buffer {
  requires transitive dev.quickwater.common;
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  exports dev.quickwater.buffer;
}
