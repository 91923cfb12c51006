/// The epoll transport.
@NullMarked
package dev.quickwater.io.linux;

import org.jspecify.annotations.NullMarked;
