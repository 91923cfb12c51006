/// TLS 1.2 and 1.3 for channels: OpenSSL of the system, or the engine of the JDK.
module dev.quickwater.tls {
  requires transitive dev.quickwater.buffer;
  requires transitive dev.quickwater.channel;
  requires dev.quickwater.system;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.quickwater.tls;
  exports dev.quickwater.tls.ocsp to
      dev.quickwater.web;

  uses dev.quickwater.tls.SelfSigner;
}
