/// Whole servers as separate processes, under load and idle.
@NullMarked
package dev.quickwater.microbench.e2e;

import org.jspecify.annotations.NullMarked;
