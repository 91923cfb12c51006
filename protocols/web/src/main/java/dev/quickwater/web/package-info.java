/// The high-level server.
@NullMarked
package dev.quickwater.web;

import org.jspecify.annotations.NullMarked;
