/// The requirements of every transport, tested once: abstract classes by topic, which each
/// transport runs in the nested classes of one small file.
@NullMarked
package dev.quickwater.testsuite.transport;

import org.jspecify.annotations.NullMarked;
