/// Benchmarks of queues, promises, timers and executors.
@NullMarked
package dev.quickwater.microbench.executor;

import org.jspecify.annotations.NullMarked;
