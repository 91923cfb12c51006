/// Maps with primitive keys.
@NullMarked
package dev.quickwater.util.map;

import org.jspecify.annotations.NullMarked;
