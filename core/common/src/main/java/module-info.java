/// Futures, event executors, timers, thread-locals and leak tracking: what every layer above
/// shares.
module dev.quickwater.common {
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  exports dev.quickwater.common;
}
