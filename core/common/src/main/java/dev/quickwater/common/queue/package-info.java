/// The queue of event executors.
@NullMarked
package dev.quickwater.common.queue;

import org.jspecify.annotations.NullMarked;
