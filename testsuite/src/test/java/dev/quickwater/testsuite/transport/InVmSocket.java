package dev.quickwater.testsuite.transport;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The peer of an in-VM channel as a blocking socket, which the tests of the suite expect. Reads
/// from its channel only when a test reads.
final class InVmSocket extends Socket implements ChannelHandler {

  private static final Object END = new Object();

  private final LinkedBlockingQueue<Object> inbound = new LinkedBlockingQueue<>();
  private final InputStream input = new Input();
  private final OutputStream output = new Output();
  private volatile @Nullable Channel channel;
  private @Nullable ByteBuf current;
  private boolean ended;

  /// Loop only.
  private @Nullable Pause pause;

  private Channel channel() {
    return Objects.requireNonNull(channel);
  }

  // ---- on the loop ----

  @Override
  public void handlerAdded(HandlerContext context) {
    channel = context.channel();
    pause();
  }

  private void pause() {
    if (pause == null) {
      pause = channel().pauseReading("until the test reads");
    }
  }

  private void resume() {
    if (pause != null) {
      pause.close();
      pause = null;
    }
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    inbound.add(message);
    pause();
  }

  @Override
  public void channelInputClosed(HandlerContext context) {
    inbound.add(END);
  }

  @Override
  public void channelInactive(HandlerContext context) {
    inbound.add(END);
  }

  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    // reading finds the end
  }

  // ---- for the test ----

  private final class Input extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      @Nullable ByteBuf buffer = length == 0 ? null : readable();
      if (buffer == null) {
        return length == 0 ? 0 : -1;
      }
      byte[] bytes = buffer.readBytes(Math.min(length, buffer.readableBytes()));
      System.arraycopy(bytes, 0, target, offset, bytes.length);
      return bytes.length;
    }
  }

  /// The buffer to read from, or null at the end.
  private @Nullable ByteBuf readable() throws IOException {
    while (!ended && (current == null || !current.isReadable())) {
      if (current != null) {
        current.release();
        current = null;
      }
      Object next = next();
      if (next == END) {
        ended = true;
      } else {
        current = (ByteBuf) next;
      }
    }
    return ended ? null : current;
  }

  private Object next() throws IOException {
    @Nullable Object next = inbound.poll();
    try {
      if (next == null) {
        channel().loop().execute(this::resume);
        next = inbound.poll(TransportTest.LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    if (next == null) {
      throw new IOException("nothing came within " + TransportTest.LIMIT);
    }
    return next;
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Promise<Void> sent = channel().loop().newPromise();
      byte[] copy = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
      channel().writeAndFlush(ByteBuf.wrap(copy), sent);
      try {
        sent.await(TransportTest.LIMIT);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new java.net.SocketException(e.toString());
      }
    }
  }

  @Override
  public InputStream getInputStream() {
    return input;
  }

  @Override
  public OutputStream getOutputStream() {
    return output;
  }

  @Override
  public void shutdownOutput() {
    channel().shutdownOutput();
  }

  @Override
  public void setSoTimeout(int millis) {}

  @Override
  public void close() throws IOException {
    Channel closing = channel();
    closing.close();
    try {
      closing.closeFuture().await(TransportTest.LIMIT);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
    if (current != null) {
      current.release();
      current = null;
    }
    @Nullable Object left;
    while ((left = inbound.poll()) != null) {
      if (left instanceof ByteBuf buffer) {
        buffer.release();
      }
    }
    ended = true;
  }
}
