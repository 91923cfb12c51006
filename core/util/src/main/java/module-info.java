/// Text of ASCII characters, Internet addresses, maps with primitive keys: values without I/O.
module dev.quickwater.util {
  requires static transitive org.jspecify;

  exports dev.quickwater.util.map;
  exports dev.quickwater.util.net;
  exports dev.quickwater.util.setting to
      dev.quickwater.proxy,
      dev.quickwater.tls,
      dev.quickwater.channel,
      dev.quickwater.http1,
      dev.quickwater.http2,
      dev.quickwater.web;
  exports dev.quickwater.util.text;
}
