/// TLS by the engine of the JDK.
@NullMarked
package dev.quickwater.tls.jdk;

import org.jspecify.annotations.NullMarked;
