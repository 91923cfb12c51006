package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A client against frames written by hand.
final class CompleteResponseTest {

  private final Http2ClientHandler client = new Http2ClientHandler(Http2Settings.DEFAULT);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          ChannelSettings.DEFAULT.withHalfClose(true), made -> made.pipeline().addLast(client));
  private final List<Outcome> ends = new ArrayList<>();

  private ClientExchange open(RequestHead head) {
    Future<ClientExchange> opened = client.connection().open(head);
    channel.runTasks();
    opened.value().onEnd(ends::add);
    return opened.value();
  }

  private void send(byte[]... frames) {
    channel.send(ByteBuf.wrap(Frame.join(frames)));
  }

  private static byte[] ok(int stream) {
    return Frame.of(Frames.HEADERS, Frames.END_HEADERS, stream, "88");
  }

  /// A server ends the connection behind its last response. The reader of that is slow.
  @Test
  void isDeliveredAfterTheConnectionEnds() {
    send(Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, 1, 0));
    ClientExchange x = open(RequestHead.get("http://a/"));
    send(ok(1), Frame.of(Frames.DATA, Frames.END_STREAM, 1, Blocks.bytes("abc")));
    send(Frame.of(Frames.GOAWAY, 0, 0, "00000001 00000000"));
    channel.endInput();
    channel.runTasks();
    assertEquals(List.of(), ends);
    Future<byte[]> all = x.readAll(100);
    channel.runTasks();
    assertTrue(all.isSuccess(), () -> String.valueOf(all.cause()));
    assertEquals("abc", Blocks.latin(all.value()));
    assertTrue(ends.getFirst().isCompleted());
    channel.close();
  }

  @Test
  void failsIfNobodyReadsItWithinTheIdleTimeout() {
    send(Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, 1, 0));
    open(RequestHead.get("http://a/"));
    ClientExchange incomplete = open(RequestHead.get("http://a/"));
    send(ok(1), ok(3), Frame.of(Frames.DATA, Frames.END_STREAM, 1, Blocks.bytes("abc")));
    channel.endInput();
    channel.runTasks();
    assertEquals(1, ends.size(), "the other exchange, " + incomplete);
    channel.advance(Duration.ofSeconds(61));
    assertEquals(2, ends.size());
    assertFalse(ends.getLast().isCompleted());
    channel.close();
  }

  @Test
  void endsTheExchangeAlthoughTheServerResetsTheRest() {
    send(Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, 1, 0));
    ClientExchange x =
        open(
            RequestHead.builder(HttpMethod.POST, "http://a/")
                .contentLength(RequestHead.UNKNOWN_LENGTH)
                .build());
    x.requestBody().write(ByteBuf.wrap(new byte[200_000]));
    channel.runTasks();
    send(
        ok(1),
        Frame.of(Frames.DATA, Frames.END_STREAM, 1, Blocks.bytes("abc")),
        Frame.of(Frames.RST_STREAM, 0, 1, "00000000"));
    Future<byte[]> all = x.readAll(100);
    channel.runTasks();
    assertEquals("abc", Blocks.latin(all.value()));
    assertEquals(1, ends.size());
    assertEquals(0, client.engine().streamCount());
    channel.close();
  }

  @Test
  void mayBeResetInsideTheEndOfAnother() {
    send(Frame.of(Frames.SETTINGS, 0, 0), Frame.of(Frames.SETTINGS, 1, 0));
    ClientExchange first = open(RequestHead.get("http://a/1"));
    ClientExchange second = open(RequestHead.get("http://a/2"));
    first.readAll(100).onComplete(_ -> second.reset(dev.quickwater.http.ResetCode.CANCEL));
    Future<byte[]> other = second.readAll(100);
    send(
        ok(1),
        ok(3),
        Frame.of(Frames.DATA, 0, 3, Blocks.bytes("part")),
        Frame.of(Frames.DATA, Frames.END_STREAM, 1, Blocks.bytes("abc")),
        Frame.of(Frames.DATA, Frames.END_STREAM, 3, Blocks.bytes("abc")));
    channel.runTasks();
    assertTrue(other.isDone() && !other.isSuccess());
    assertEquals(2, ends.size());
    assertEquals(0, client.engine().streamCount());
    channel.close();
  }
}
