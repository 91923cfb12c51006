/// Hostile HTTP/2 peers in front of our server: a client that writes the frames of each attack. And
/// a client that uses the exported frame codec alone.
@NullMarked
package dev.quickwater.testsuite.http2;

import org.jspecify.annotations.NullMarked;
