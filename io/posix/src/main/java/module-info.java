/// The system-call gate: every function of the C library that Quickwater's transports call, with
/// the shapes that they share (socket addresses, iovec, owned descriptors).
module dev.quickwater.io.posix {
  requires transitive dev.quickwater.channel;
  requires dev.quickwater.system;
  requires static transitive org.jspecify;

  exports dev.quickwater.io.posix to
      dev.quickwater.io.linux;
}
