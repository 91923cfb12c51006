/// The version-independent model of HTTP. All message types are immutable and safe on any thread.
/// They own no buffers.
@NullMarked
package dev.quickwater.http;

import org.jspecify.annotations.NullMarked;
