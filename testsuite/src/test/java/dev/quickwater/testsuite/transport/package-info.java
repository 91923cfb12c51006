/// What every transport must do, once: abstract classes by topic, run by each transport in the
/// nested classes of one small file.
@NullMarked
package dev.quickwater.testsuite.transport;

import org.jspecify.annotations.NullMarked;
