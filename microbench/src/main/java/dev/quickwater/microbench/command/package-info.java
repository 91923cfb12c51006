/// What a user types, and the one-line answer to a mistake in it.
@NullMarked
package dev.quickwater.microbench.command;

import org.jspecify.annotations.NullMarked;
