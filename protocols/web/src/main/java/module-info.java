/// HTTP servers and clients in three lines: limits, deadlines, drain, pool and static files built
/// in.
module dev.quickwater.web {
  requires jdk.jfr;
  requires transitive dev.quickwater.http;
  requires transitive dev.quickwater.http1;
  requires transitive dev.quickwater.http2;
  requires transitive dev.quickwater.proxy;
  requires transitive dev.quickwater.tls;
  requires static transitive org.jspecify;

  exports dev.quickwater.web;
}
