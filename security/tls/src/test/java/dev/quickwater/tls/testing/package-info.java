/// Certificates and connections for tests.
@NullMarked
package dev.quickwater.tls.testing;

import org.jspecify.annotations.NullMarked;
