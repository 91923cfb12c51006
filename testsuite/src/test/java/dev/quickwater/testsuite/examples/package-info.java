/// The example programs, run as their users would.
@NullMarked
package dev.quickwater.testsuite.examples;

import org.jspecify.annotations.NullMarked;
