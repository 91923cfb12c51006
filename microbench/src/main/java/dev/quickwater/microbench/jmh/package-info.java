/// JMH benchmarks in pairs: ours beside the peers', each on its own terms.
@NullMarked
package dev.quickwater.microbench.jmh;

import org.jspecify.annotations.NullMarked;
