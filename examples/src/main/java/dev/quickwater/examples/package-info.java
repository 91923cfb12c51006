/// Programs to begin with.
@NullMarked
package dev.quickwater.examples;

import org.jspecify.annotations.NullMarked;
