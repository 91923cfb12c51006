/// Tests that fail when they leak.
@NullMarked
package dev.quickwater.junit;

import org.jspecify.annotations.NullMarked;
