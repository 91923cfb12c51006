/// Buffers and the allocators behind them.
module dev.quickwater.buffer {
  requires transitive dev.quickwater.common;
  requires dev.quickwater.system;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.quickwater.buffer;
  exports dev.quickwater.buffer.search;
}
