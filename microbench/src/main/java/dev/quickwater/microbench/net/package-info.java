/// Benchmarks of internet addresses and networks.
@NullMarked
package dev.quickwater.microbench.net;

import org.jspecify.annotations.NullMarked;
