package dev.quickwater.examples;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http2.Http2ClientSession;
import dev.quickwater.http2.Http2ServerSession;
import dev.quickwater.http2.Http2Session;
import dev.quickwater.http2.Http2Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/// HTTP/2 over a pair of streams, for example the standard input and output of a process. The
/// connection has no channel and no socket: virtual threads read and write the streams.
public final class Http2Pipe implements Http2Session.Output {

  private static final byte[] END = {};

  private final EventLoop loop;
  private final InputStream in;
  private final OutputStream out;
  private final BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
  private final AtomicLong pending = new AtomicLong();

  private Http2Pipe(EventLoop loop, InputStream in, OutputStream out) {
    this.loop = loop;
    this.in = in;
    this.out = out;
  }

  // @start region=server
  /// Serves the requests of the other end with `handler`.
  public static void serve(EventLoop loop, HttpHandler handler, InputStream in, OutputStream out) {
    Http2Pipe pipe = new Http2Pipe(loop, in, out);
    pipe.begin(new Http2ServerSession(Http2Settings.DEFAULT, loop, pipe, handler));
  }

  // @end

  /// A client whose server is the other end.
  public static Http2ClientSession connect(EventLoop loop, InputStream in, OutputStream out) {
    Http2Pipe pipe = new Http2Pipe(loop, in, out);
    Http2ClientSession session = new Http2ClientSession(Http2Settings.DEFAULT, loop, pipe);
    pipe.begin(session);
    return session;
  }

  private void begin(Http2Session session) {
    loop.execute(session::start);
    Thread.ofVirtual().start(() -> read(session));
    Thread.ofVirtual().start(() -> write(session));
  }

  // @start region=read
  private void read(Http2Session session) {
    byte[] bytes = new byte[16 << 10];
    try {
      for (int count; (count = in.read(bytes)) >= 0; ) {
        ByteBuf received = ByteBuf.wrap(Arrays.copyOf(bytes, count));
        // The next read waits until the session has interpreted these bytes.
        boolean wantsInput =
            loop.submit(
                    () -> {
                      session.receive(received);
                      return session.wantsInput();
                    })
                .await();
        while (!wantsInput) { // frames wait for the next turn of the loop
          wantsInput = loop.submit(session::wantsInput).await();
        }
      }
      onLoop(session::endInput);
    } catch (IOException | ExecutionException e) {
      onLoop(() -> session.close(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // @end

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException _) {
      // The loop has ended; nothing uses the session any more.
    }
  }

  @Override
  public void write(ByteBuf bytes) {
    pending.addAndGet(bytes.readableBytes());
    queue.add(bytes.readBytes(bytes.readableBytes()));
    bytes.release();
  }

  @Override
  public long pendingBytes() {
    return pending.get();
  }

  @Override
  public void end() {
    queue.add(END);
  }

  @Override
  public void abort() {
    queue.add(END);
  }

  private void write(Http2Session session) {
    try (out) {
      for (byte[] next; (next = queue.take()) != END; ) {
        out.write(next);
        if (queue.isEmpty()) {
          out.flush();
        }
        pending.addAndGet(-next.length);
        loop.execute(session::writable);
      }
    } catch (IOException e) {
      onLoop(() -> session.close(e));
    } catch (InterruptedException | RejectedExecutionException e) {
      Thread.currentThread().interrupt();
    }
  }
}
