/// What must be in the package of the HTTP/2 engine to reach what is measured.
@NullMarked
package dev.quickwater.http2;

import org.jspecify.annotations.NullMarked;
