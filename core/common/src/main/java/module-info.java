/// Futures, event executors, timers, thread-locals, maps, text, net addresses and leak tracking:
/// what every layer above shares.
module dev.quickwater.common {
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  exports dev.quickwater.common;
  exports dev.quickwater.common.map;
  exports dev.quickwater.common.net;
  exports dev.quickwater.common.text;
}
