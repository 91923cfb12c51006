/// The HTTP/2 servers on a JVM under measurement: Quickwater's, and Netty's two ways.
@NullMarked
package dev.quickwater.microbench.e2e.server.http2;

import org.jspecify.annotations.NullMarked;
