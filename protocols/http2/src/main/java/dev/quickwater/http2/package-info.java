/// HTTP/2 (RFC 9113): frames, header compression (HPACK, RFC 7541), streams, and the engines of
/// both sides.
@NullMarked
package dev.quickwater.http2;

import org.jspecify.annotations.NullMarked;
