/// Benchmarks of TLS without I/O.
@NullMarked
package dev.quickwater.microbench.tls;

import org.jspecify.annotations.NullMarked;
