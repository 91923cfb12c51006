/// Benchmarks of HTTP/1.1, without a network.
@NullMarked
package dev.quickwater.microbench.http;

import org.jspecify.annotations.NullMarked;
