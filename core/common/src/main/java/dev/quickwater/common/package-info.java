/// Futures and promises, event executors with timers, clocks, queues and leak tracking.
@NullMarked
package dev.quickwater.common;

import org.jspecify.annotations.NullMarked;
