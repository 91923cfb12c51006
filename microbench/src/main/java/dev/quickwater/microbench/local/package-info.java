/// Benchmarks of thread-locals, recyclers and attributes.
@NullMarked
package dev.quickwater.microbench.local;

import org.jspecify.annotations.NullMarked;
