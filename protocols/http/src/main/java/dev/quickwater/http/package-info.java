/// The version-independent model of HTTP. All message types are immutable and safe on any thread;
/// the buffers in them follow the ownership rules of buffers.
@NullMarked
package dev.quickwater.http;

import org.jspecify.annotations.NullMarked;
