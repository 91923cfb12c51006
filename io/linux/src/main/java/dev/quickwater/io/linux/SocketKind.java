package dev.quickwater.io.linux;

/// The kind of a socket, which decides the options that it supports.
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

  /// A hint for the message of a refused option: the default settings have an option of TCP.
  String hint() {
    return switch (this) {
      case LISTENER, STREAM, ACCEPTED -> "";
      case DATAGRAM -> "; ChannelSettings.DATAGRAM has no options";
      case UNIX_LISTENER, UNIX_STREAM, UNIX_DATAGRAM -> "; ChannelSettings.UNIX has no options";
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
