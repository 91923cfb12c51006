/// What the engines of all versions share, and what users of HTTP cannot reach: the machine of an
/// exchange, and access to the encoded forms of messages.
@NullMarked
package dev.quickwater.http.engine;

import org.jspecify.annotations.NullMarked;
