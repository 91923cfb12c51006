/// The transport between two channels of one process.
@NullMarked
package dev.quickwater.channel.invm;

import org.jspecify.annotations.NullMarked;
