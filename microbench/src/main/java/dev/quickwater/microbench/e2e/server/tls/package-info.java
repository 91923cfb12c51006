/// The servers that Quickwater's TLS is measured against.
@NullMarked
package dev.quickwater.microbench.e2e.server.tls;

import org.jspecify.annotations.NullMarked;
