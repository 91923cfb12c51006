/// HTTP/2 (RFC 9113) and its header compression (RFC 7541).
@SuppressWarnings("module") // the digit in the name is the protocol's
module dev.quickwater.http2 {
  requires transitive dev.quickwater.http;
  requires static transitive org.jspecify;

  exports dev.quickwater.http2;
}
