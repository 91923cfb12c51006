/// Internet addresses and networks: parsed strictly, formatted as in RFC 5952, never resolved.
@NullMarked
package dev.quickwater.util.net;

import org.jspecify.annotations.NullMarked;
