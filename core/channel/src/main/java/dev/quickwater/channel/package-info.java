/// Channels, their pipelines, the loops that run them, and how connections are opened.
@NullMarked
package dev.quickwater.channel;

import org.jspecify.annotations.NullMarked;
