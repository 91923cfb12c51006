/// A JUnit extension that fails tests which leak.
@NullMarked
package dev.quickwater.junit;

import org.jspecify.annotations.NullMarked;
