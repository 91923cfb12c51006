/// What decoders and encoders share.
@NullMarked
package dev.quickwater.codec;

import org.jspecify.annotations.NullMarked;
