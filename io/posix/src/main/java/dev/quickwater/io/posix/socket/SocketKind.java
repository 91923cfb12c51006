package dev.quickwater.io.posix.socket;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// The kind of a socket, which decides the options that it supports.
public enum SocketKind {
  LISTENER("a listening socket"),
  STREAM("a connection"),
  ACCEPTED("an accepted connection"),
  DATAGRAM("a datagram socket"),
  UNIX_LISTENER("a listening Unix socket"),
  UNIX_STREAM("a connection of a Unix socket"),
  UNIX_DATAGRAM("a Unix datagram socket");

  /// The sockets of TCP and UDP.
  public static final Set<SocketKind> INTERNET =
      Collections.unmodifiableSet(EnumSet.of(LISTENER, STREAM, ACCEPTED, DATAGRAM));

  /// The sockets of TCP.
  public static final Set<SocketKind> TCP =
      Collections.unmodifiableSet(EnumSet.of(LISTENER, STREAM, ACCEPTED));

  /// The connections of TCP.
  public static final Set<SocketKind> CONNECTION =
      Collections.unmodifiableSet(EnumSet.of(STREAM, ACCEPTED));

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
