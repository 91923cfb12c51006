package dev.quickwater.io.linux;

/// What a socket is, as far as its options are concerned.
enum SocketKind {
  LISTENER("a listening socket"),
  STREAM("a connection"),
  ACCEPTED("an accepted connection"),
  DATAGRAM("a datagram socket"),
  UNIX_LISTENER("a listening Unix socket"),
  UNIX_STREAM("a connection of a Unix socket"),
  UNIX_DATAGRAM("a Unix datagram socket");

  private final String text;

  SocketKind(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
