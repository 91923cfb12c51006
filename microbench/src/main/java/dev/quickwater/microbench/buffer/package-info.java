/// Benchmarks of buffers and their allocators.
@NullMarked
package dev.quickwater.microbench.buffer;

import org.jspecify.annotations.NullMarked;
