/// Internet addresses and networks: parsed strictly, formatted as RFC 5952 says, never resolved.
@NullMarked
package dev.quickwater.common.net;

import org.jspecify.annotations.NullMarked;
