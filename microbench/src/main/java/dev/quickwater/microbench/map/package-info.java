/// Benchmarks of maps with primitive keys.
@NullMarked
package dev.quickwater.microbench.map;

import org.jspecify.annotations.NullMarked;
