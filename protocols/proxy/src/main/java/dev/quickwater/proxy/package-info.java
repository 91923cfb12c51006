/// The PROXY protocol, versions 1 and 2: headers, their reader and writer, and a handler.
@Experimental
@NullMarked
package dev.quickwater.proxy;

import dev.quickwater.common.Experimental;
import org.jspecify.annotations.NullMarked;
