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

  /// Added to the refusal of an option: the default settings have one of TCP.
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
