/// `qw bench`: every performance claim of Quickwater as a measurement beside its peer.
@NullMarked
package dev.quickwater.microbench;

import org.jspecify.annotations.NullMarked;
