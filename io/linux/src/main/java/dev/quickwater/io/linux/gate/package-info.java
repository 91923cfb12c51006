/// The system-call gate of Linux: the calls of [dev.quickwater.io.posix.gate.Kernel] and those that
/// only Linux has. Not exported.
@NullMarked
package dev.quickwater.io.linux.gate;

import org.jspecify.annotations.NullMarked;
