/// Suites: lists of pairs with the ratio that each should reach, run by one command.
@NullMarked
package dev.quickwater.microbench.suite;

import org.jspecify.annotations.NullMarked;
