/// HTTP/1.1 and 1.0: the engines without I/O, and the channel handlers of both sides.
@SuppressWarnings("module") // the digit in the name is the protocol's
module dev.quickwater.http1 {
  requires transitive dev.quickwater.http;
  requires static transitive org.jspecify;

  exports dev.quickwater.http1;
}
