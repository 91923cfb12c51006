/// Keys and certificates from PEM text.
@NullMarked
package dev.quickwater.tls.pem;

import org.jspecify.annotations.NullMarked;
