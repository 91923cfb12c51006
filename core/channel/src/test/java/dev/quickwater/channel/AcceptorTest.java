package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Rest after a failure, in virtual time.
final class AcceptorTest {

  @Test
  void restsATenthOfASecondAfterAFailure() {
    try (EventLoopGroup group = EventLoopGroup.create(new LoopSettings(1, "nio"));
        EmbeddedChannel listening =
            new EmbeddedChannel(new Acceptor(group, ChannelSettings.DEFAULT, _ -> {}))) {
      assertTrue(listening.isReading());
      for (int i = 0; i < 3; i++) {
        listening.channel().pipeline().fireExceptionCaught(new IOException("out of descriptors"));
        assertFalse(listening.isReading());
        listening.advance(Duration.ofMillis(99));
        assertFalse(listening.isReading());
        listening.advance(Duration.ofMillis(1));
        assertTrue(listening.isReading());
      }
      assertFalse(listening.isClosed());
    }
  }
}
