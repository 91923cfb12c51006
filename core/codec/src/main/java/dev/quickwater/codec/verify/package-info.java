/// Tests for decoders, of this project and of its users.
@Experimental
@NullMarked
package dev.quickwater.codec.verify;

import dev.quickwater.common.Experimental;
import org.jspecify.annotations.NullMarked;
