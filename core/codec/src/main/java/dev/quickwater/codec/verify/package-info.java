/// Tests for decoders, of this project and of its users.
@NullMarked
package dev.quickwater.codec.verify;

import org.jspecify.annotations.NullMarked;
