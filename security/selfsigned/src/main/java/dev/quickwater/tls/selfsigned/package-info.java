/// Certificates for development.
@NullMarked
package dev.quickwater.tls.selfsigned;

import org.jspecify.annotations.NullMarked;
