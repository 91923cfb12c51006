/// The state of a certificate: what a server requests from the responder of its issuer.
@NullMarked
package dev.quickwater.tls.ocsp;

import org.jspecify.annotations.NullMarked;
