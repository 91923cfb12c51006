/// Allocation traces: what a program asked of its allocator, made up or recorded, replayed on ours
/// and on Netty's to see how much memory each one reserves for it.
@NullMarked
package dev.quickwater.microbench.trace;

import org.jspecify.annotations.NullMarked;
