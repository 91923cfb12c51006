/// ASCII text in byte arrays, and comma-separated values.
@NullMarked
package dev.quickwater.util.text;

import org.jspecify.annotations.NullMarked;
