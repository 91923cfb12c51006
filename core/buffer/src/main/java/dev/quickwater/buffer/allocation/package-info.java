/// Pages, heaps and the memory limit behind the allocators.
@NullMarked
package dev.quickwater.buffer.allocation;

import org.jspecify.annotations.NullMarked;
