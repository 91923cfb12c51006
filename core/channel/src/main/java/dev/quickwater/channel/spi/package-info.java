/// What a transport implements. Everything here runs on the loop's thread unless it says otherwise.
@NullMarked
package dev.quickwater.channel.spi;

import org.jspecify.annotations.NullMarked;
