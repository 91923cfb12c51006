/// The conformance suite of h2spec in front of our server.
@NullMarked
package dev.quickwater.testsuite.h2spec;

import org.jspecify.annotations.NullMarked;
