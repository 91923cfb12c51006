/// Unchecked access to arrays and native memory.
@NullMarked
package dev.quickwater.buffer.memory;

import org.jspecify.annotations.NullMarked;
