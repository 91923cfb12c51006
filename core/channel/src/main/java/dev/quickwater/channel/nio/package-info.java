/// The transport over `java.nio`, which works on every platform without native access.
@NullMarked
package dev.quickwater.channel.nio;

import org.jspecify.annotations.NullMarked;
