/// Benchmarks of ASCII text and comma-separated values.
@NullMarked
package dev.quickwater.microbench.text;

import org.jspecify.annotations.NullMarked;
