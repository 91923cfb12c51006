/// A channel without a network, for tests: bytes go in and out by method calls, time is virtual.
@NullMarked
package dev.quickwater.channel.embedded;

import org.jspecify.annotations.NullMarked;
