/// The PROXY protocol: the address of a client, as the proxy in front of a server announces it.
module dev.quickwater.proxy {
  requires transitive dev.quickwater.channel;
  requires static transitive org.jspecify;

  exports dev.quickwater.proxy;
}
