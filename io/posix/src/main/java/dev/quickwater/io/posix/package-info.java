/// What programs use of POSIX sockets beyond channels: open descriptors, messages that pass them to
/// another process, and socket options by their numbers.
@NullMarked
package dev.quickwater.io.posix;

import org.jspecify.annotations.NullMarked;
