/// TLS by OpenSSL, through the foreign function interface.
@NullMarked
package dev.quickwater.tls.openssl;

import org.jspecify.annotations.NullMarked;
