/// Futures, event executors, timers, leak tracking, text and net addresses: what every layer above
/// shares.
module dev.quickwater.common {
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  exports dev.quickwater.common;
  exports dev.quickwater.common.net;
  exports dev.quickwater.common.text;
}
