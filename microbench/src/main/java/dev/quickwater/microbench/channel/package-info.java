/// Benchmarks of channels and pipelines, without a network.
@NullMarked
package dev.quickwater.microbench.channel;

import org.jspecify.annotations.NullMarked;
