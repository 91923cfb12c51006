/// What must be in a package of Netty to reach what it measures.
@NullMarked
package io.netty.handler.codec.http2;

import org.jspecify.annotations.NullMarked;
