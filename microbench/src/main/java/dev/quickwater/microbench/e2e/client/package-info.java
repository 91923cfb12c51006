/// The HTTP clients under measurement, each in a separate process with one event loop.
@NullMarked
package dev.quickwater.microbench.e2e.client;

import org.jspecify.annotations.NullMarked;
