/// Support for decoders and encoders.
@NullMarked
package dev.quickwater.codec;

import org.jspecify.annotations.NullMarked;
