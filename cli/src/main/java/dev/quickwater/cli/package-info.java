/// The `qw` command: serve, doctor.
@NullMarked
package dev.quickwater.cli;

import org.jspecify.annotations.NullMarked;
