/// HTTP/1.1 (RFC 9112): a request parser and a response encoder that know no channel, and the
/// handler that joins them to one.
@NullMarked
package dev.quickwater.http1;

import org.jspecify.annotations.NullMarked;
