/// Benchmarks of what codecs share.
@NullMarked
package dev.quickwater.microbench.codec;

import org.jspecify.annotations.NullMarked;
