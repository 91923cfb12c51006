/// The rules of ARCHITECTURE.md that a machine can hold.
@NullMarked
package dev.quickwater.testsuite.arch;

import org.jspecify.annotations.NullMarked;
