/// The interfaces and tools of transports. A transport with readiness events implements [IoPoller]
/// and the sockets, and uses the drivers. Any other transport implements [ChannelIo], with
/// [StreamOutput] for a stream. Methods run on the loop's thread unless they state otherwise.
@Experimental
@NullMarked
package dev.quickwater.channel.spi;

import dev.quickwater.common.Experimental;
import org.jspecify.annotations.NullMarked;
