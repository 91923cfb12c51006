/// The system-call gate: system calls as Java methods, the constants of each system, the meaning of
/// its error numbers, and the structures that the calls take.
///
/// Error numbers are compared in gates only: [Errno] has a method for each question that other code
/// has about a result.
@NullMarked
package dev.quickwater.io.posix.gate;

import org.jspecify.annotations.NullMarked;
