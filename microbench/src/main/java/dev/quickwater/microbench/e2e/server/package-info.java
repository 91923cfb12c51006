/// The servers that Quickwater is measured against: Netty at its best, and a bare loop as the
/// limit.
@NullMarked
package dev.quickwater.microbench.e2e.server;

import org.jspecify.annotations.NullMarked;
