/// The sockets of readiness transports on POSIX systems, and the system-call gate below them: every
/// function of the C library that they call, with the shapes that these share.
///
/// Programs use open descriptors and the messages that pass them; the rest is for transports.
module dev.quickwater.io.posix {
  requires transitive dev.quickwater.channel;
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  exports dev.quickwater.io.posix;
  exports dev.quickwater.io.posix.gate to
      dev.quickwater.io.linux;
  exports dev.quickwater.io.posix.socket to
      dev.quickwater.io.linux;
}
