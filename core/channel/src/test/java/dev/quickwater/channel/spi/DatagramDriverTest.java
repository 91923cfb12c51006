package dev.quickwater.channel.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A channel on a datagram socket that answers what a test has written down.
final class DatagramDriverTest {

  private static final ChannelSettings SETTINGS =
      ChannelSettings.DEFAULT.withWaterMarks(1000, 2000).withHardLimit(10_000);

  private final EmbeddedChannel host = new EmbeddedChannel(); // lends its loop and clock
  private final ScriptedDatagrams socket = new ScriptedDatagrams();
  private final Channel channel = open();

  private Channel open() {
    try {
      return Channel.open(host.loop(), new DatagramDriver(socket), SETTINGS, _ -> {});
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    channel.close();
    host.close();
  }

  /// Runs on another thread to its end; the loop, which is this thread, does nothing meanwhile.
  private static void elsewhere(Runnable task) {
    Thread thread = Thread.ofPlatform().start(task);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void channelIsWritableAgainWhenAllThatFilledItWasCancelled() {
    List<Promise<Void>> promises = new ArrayList<>();
    while (channel.isWritable()) {
      Promise<Void> promise = host.loop().newPromise();
      promises.add(promise);
      channel.write(ByteBuf.wrap(new byte[500]), promise);
    }
    promises.forEach(Promise::cancel);
    channel.flush();
    host.runTasks();
    assertEquals(0, channel.pendingBytes());
    assertTrue(channel.isWritable());
  }

  @Test
  void nothingIsSentOnASocketThatAListenerOfAFailureHasClosed() {
    socket.failsFirst = true;
    Promise<Void> failing = host.loop().newPromise();
    failing.onComplete(_ -> channel.close());
    Promise<Void> next = host.loop().newPromise();
    channel.write(ByteBuf.utf8("bad"), failing);
    channel.write(ByteBuf.utf8("next"), next);
    channel.flush();
    host.runTasks();
    assertFalse(socket.usedAfterClose);
    assertTrue(next.isDone());
  }

  @Test
  void offLoopDatagramCountsOnceAgainstTheHardLimit() {
    Promise<Void> promise = host.loop().newPromise();
    elsewhere(() -> channel.writeAndFlush(ByteBuf.wrap(new byte[6000]), promise));
    host.runTasks();
    assertNull(promise.cause());
    assertEquals(1, socket.sent);
  }

  @Test
  void offLoopDatagramOverTheHardLimitFailsAlone() {
    Promise<Void> refused = host.loop().newPromise();
    elsewhere(() -> {
      channel.writeAndFlush(ByteBuf.wrap(new byte[9000]));
      channel.writeAndFlush(ByteBuf.wrap(new byte[9000]), refused);
    });
    host.runTasks();
    assertTrue(refused.cause().getMessage().contains("hardLimit"), refused.cause().getMessage());
    assertEquals(1, socket.sent);
    assertTrue(channel.isActive());
  }

  /// A socket whose kernel takes everything, unless told otherwise.
  private static final class ScriptedDatagrams implements DatagramSocket {
    boolean failsFirst;
    boolean closed;
    boolean usedAfterClose;
    int sent;

    @Override
    public boolean receive(ChannelEvents events, int max) {
      return false;
    }

    @Override
    public boolean send(DatagramOutput output) {
      usedAfterClose |= closed;
      if (failsFirst) {
        failsFirst = false;
        output.fail(new IOException("no route"));
        return true;
      }
      int count = output.flushedCount();
      output.sent(count);
      sent += count;
      return true;
    }

    @Override
    public void interest(int events) {}

    @Override
    public void join(InetAddress group, NetworkInterface on, InetAddress source) {}

    @Override
    public void leave(InetAddress group, NetworkInterface on, InetAddress source) {}

    @Override
    public void close() {
      closed = true;
    }
  }
}
