/// HTTP/1.1 (RFC 9112): parsers, an encoder and the engines of both sides without I/O, and the
/// handlers that connect the engines to channels.
@Experimental
@NullMarked
package dev.quickwater.http1;

import dev.quickwater.common.Experimental;
import org.jspecify.annotations.NullMarked;
