/// Searches for byte strings and lines in buffers.
@NullMarked
package dev.quickwater.buffer.search;

import org.jspecify.annotations.NullMarked;
