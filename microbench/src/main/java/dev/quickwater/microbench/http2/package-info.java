/// Benchmarks of HTTP/2, without a network.
@NullMarked
package dev.quickwater.microbench.http2;

import org.jspecify.annotations.NullMarked;
