/// Whole servers as processes of their own, under load and at rest.
@NullMarked
package dev.quickwater.microbench.e2e;

import org.jspecify.annotations.NullMarked;
