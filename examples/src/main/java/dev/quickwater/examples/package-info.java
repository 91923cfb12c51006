/// Small programs that the guide quotes.
@NullMarked
package dev.quickwater.examples;

import org.jspecify.annotations.NullMarked;
