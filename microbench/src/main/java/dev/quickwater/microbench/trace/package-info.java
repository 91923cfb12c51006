/// Allocation traces: the requests of a program to its allocator, synthetic or recorded, replayed
/// on ours and on Netty's to see how much memory each one reserves for it.
@NullMarked
package dev.quickwater.microbench.trace;

import org.jspecify.annotations.NullMarked;
