/// System calls as Java methods: results by value, failures as negative error numbers.
@NullMarked
package dev.quickwater.io.posix;

import org.jspecify.annotations.NullMarked;
