package dev.quickwater.channel.embedded;

import java.net.SocketAddress;

/// The address of an embedded channel or its peer, which have no network.
final class EmbeddedAddress extends SocketAddress {

  private static final long serialVersionUID = 1;

  static final EmbeddedAddress LOCAL = new EmbeddedAddress("embedded");
  static final EmbeddedAddress REMOTE = new EmbeddedAddress("test");

  private final String name;

  private EmbeddedAddress(String name) {
    this.name = name;
  }

  @Override
  public String toString() {
    return name;
  }
}
