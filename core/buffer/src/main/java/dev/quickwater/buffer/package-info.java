/// One buffer class, what may be written to a channel, and the allocators.
@NullMarked
package dev.quickwater.buffer;

import org.jspecify.annotations.NullMarked;
