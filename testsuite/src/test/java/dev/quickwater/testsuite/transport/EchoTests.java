package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import org.junit.jupiter.api.Test;

abstract class EchoTests extends TransportTest {

  @Test
  void bytesComeBack() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Recorder recorder = new Recorder();
    Channel client = connect(server, DEFAULT, recorder);
    client.writeAndFlush(ByteBuf.utf8("hello"));
    eventually("the echo", () -> recorder.received == 5);
    assertEquals("hello", recorder.text());
  }
}
