package dev.quickwater.testsuite.transport;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Records the events of a channel's pipeline for a test on another thread.
class Recorder implements ChannelHandler {

  final List<String> events = new CopyOnWriteArrayList<>();
  final List<Throwable> failures = new CopyOnWriteArrayList<>();
  final CountDownLatch active = new CountDownLatch(1);
  final CountDownLatch inputClosed = new CountDownLatch(1);
  final CountDownLatch inactive = new CountDownLatch(1);
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  volatile long received;
  volatile @Nullable HandlerContext context;

  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(TransportTest.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the event did not come");
    }
  }

  String text() {
    synchronized (bytes) {
      return bytes.toString(StandardCharsets.ISO_8859_1);
    }
  }

  /// The bytes so far.
  byte[] bytes() {
    synchronized (bytes) {
      return bytes.toByteArray();
    }
  }

  @Override
  public void channelActive(HandlerContext context) throws Exception {
    this.context = context;
    events.add("active");
    active.countDown();
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, the loop
  public void channelRead(HandlerContext context, Object message) throws Exception {
    ByteBuf buffer = (ByteBuf) message;
    byte[] read = buffer.readBytes(buffer.readableBytes());
    buffer.release();
    synchronized (bytes) {
      bytes.writeBytes(read);
    }
    received += read.length;
  }

  @Override
  public void channelInputClosed(HandlerContext context) {
    events.add("inputClosed");
    inputClosed.countDown();
  }

  @Override
  public void channelWritabilityChanged(HandlerContext context) {
    events.add(context.channel().isWritable() ? "writable" : "unwritable");
  }

  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    events.add("exception");
    failures.add(cause);
  }

  @Override
  public void channelInactive(HandlerContext context) {
    events.add("inactive");
    inactive.countDown();
  }
}
