package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.AttributeKey;
import dev.quickwater.common.AttributeMap;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChannelAttributesTest {

  private static final AttributeKey<String> NAME = AttributeKey.named("name");

  @Test
  void channelKeepsWhatIsAttachedToIt() {
    EmbeddedChannel embedded = new EmbeddedChannel();
    Channel channel = embedded.channel();
    channel.attributes().set(NAME, "mine");
    embedded.close();
    assertEquals("mine", channel.attributes().get(NAME));
    assertSame(channel.attributes(), channel.attributes());
  }

  @Test
  void threadsThatRequestAtOnceGetTheSameMap() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 100; round++) {
        EmbeddedChannel embedded = new EmbeddedChannel();
        CountDownLatch go = new CountDownLatch(1);
        List<Future<AttributeMap>> maps =
            Stream.generate(() ->
                    threads.submit(() -> {
                      go.await();
                      return embedded.channel().attributes();
                    }))
                .limit(4)
                .toList();
        go.countDown();
        Set<AttributeMap> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Future<AttributeMap> map : maps) {
          seen.add(map.get());
        }
        assertEquals(1, seen.size());
        embedded.close();
      }
    }
  }
}
