/// TLS: settings, the engine without I/O, and the handler that connects it to a channel.
@NullMarked
package dev.quickwater.tls;

import org.jspecify.annotations.NullMarked;
