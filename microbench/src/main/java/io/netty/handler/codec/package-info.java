/// What must be in a package of Netty to reach what it measures.
@NullMarked
package io.netty.handler.codec;

import org.jspecify.annotations.NullMarked;
