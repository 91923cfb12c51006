/// The sockets of readiness transports: TCP, UDP and Unix sockets over the system-call gate, and
/// the seam to what watches them ([Poller]).
@NullMarked
package dev.quickwater.io.posix.socket;

import org.jspecify.annotations.NullMarked;
