/// The count of the bytes that wait on a channel, as the loop and other threads write it.
@NullMarked
package dev.quickwater.channel.account;

import org.jspecify.annotations.NullMarked;
