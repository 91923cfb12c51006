/// What the engine needs from a TLS library, and what all libraries share.
@NullMarked
package dev.quickwater.tls.library;

import org.jspecify.annotations.NullMarked;
