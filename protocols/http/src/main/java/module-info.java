/// HTTP as all its versions share it: messages, headers, and the exchange that a handler works on.
module dev.quickwater.http {
  requires transitive dev.quickwater.buffer;
  requires transitive dev.quickwater.channel;
  requires dev.quickwater.tls;
  requires static transitive org.jspecify;

  exports dev.quickwater.http;
  exports dev.quickwater.http.engine to
      dev.quickwater.http1,
      dev.quickwater.http2,
      dev.quickwater.web,
      dev.quickwater.microbench;
}
