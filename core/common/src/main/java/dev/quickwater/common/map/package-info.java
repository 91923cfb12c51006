/// Maps with primitive keys.
@NullMarked
package dev.quickwater.common.map;

import org.jspecify.annotations.NullMarked;
