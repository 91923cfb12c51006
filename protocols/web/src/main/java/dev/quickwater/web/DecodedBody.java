package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.engine.BodyPipe;
import dev.quickwater.http.engine.ClientSideExchange;
import java.util.concurrent.CompletionException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// The body of a response, decoded while it is read. Without a decoder it is the body as received.
///
/// - Bytes are decoded only for a waiting reader, at most [#PIECE] at a time. The next piece is
///   decoded in a later turn of the loop. A small response that expands a lot therefore neither
///   occupies memory nor delays the other connections of the loop.
/// - The limit `maxBody` of the exchange applies to the received bytes and to the decoded bytes.
///   Each decoded piece is progress for the idle timeout.
/// - Broken content ends the exchange. The reader and the outcome receive the cause.
///
/// Loop only.
final class DecodedBody implements IncomingBody {

  private static final System.Logger LOG = System.getLogger(HttpClient.class.getName());

  private static final int PIECE = 16 << 10;
  private static final byte[] UNUSED = {};

  private final ClientSideExchange x;
  private final Wire wire = new Wire();
  private @Nullable ContentDecoder decoder;
  private byte[] out = UNUSED;

  /// Received bytes that are not decoded yet, or null.
  private @Nullable ByteBuf held;

  private @Nullable BodyReader reader;
  private State state = State.OPEN;
  private long length;

  private enum State {
    OPEN,
    /// A reader has received the end.
    ENDED,
    /// The exchange has ended before the body.
    CLOSED
  }

  DecodedBody(ClientSideExchange x) {
    this.x = x;
    x.onEnd(this::exchangeEnded);
  }

  /// Decodes the body with a decoder. Must be called before the first byte arrives.
  void decodeWith(ContentDecoder made) {
    decoder = made;
    out = new byte[PIECE];
  }

  @Override
  public void read(BodyReader bodyReader) {
    if (!x.loop().inLoop()) {
      throw new IllegalStateException("an exchange belongs to its loop, " + x.loop().name());
    }
    if (state == State.CLOSED) {
      return;
    }
    if (state == State.ENDED) {
      throw new IllegalStateException("the body has ended");
    }
    if (reader != null) {
      throw new IllegalStateException("a read of the body is pending");
    }
    reader = bodyReader;
    if (held == null) {
      x.responseBody().read(wire);
    } else {
      x.loop().defer(() -> x.guard(this::resume));
    }
  }

  @Override
  public void pipeTo(OutgoingBody target) {
    new BodyPipe(this, target, x).start();
  }

  /// Continues in a later turn of the loop.
  private void resume() {
    try {
      produce();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new CompletionException(e); // the reader threw it
    }
  }

  /// Decodes a piece for the reader, or reads further bytes.
  private void produce() throws Exception {
    @Nullable ByteBuf bytes = held;
    if (bytes == null || decoder == null || reader == null) {
      return; // the exchange has ended
    }
    int count;
    try {
      count = decoder.decode(bytes, out);
    } catch (ZipException e) {
      fail(e);
      return;
    }
    if (count == 0) {
      bytes.release();
      held = null;
      x.responseBody().read(wire);
      return;
    }
    length += count;
    long max = x.limits().maxBody();
    if (length > max) {
      fail(
          new HttpException(
              HttpStatus.CONTENT_TOO_LARGE,
              "the decoded body has more than the " + max + " bytes that are allowed"));
      return;
    }
    x.progressed(); // the bytes of many pieces may have been received at once
    ByteBuf piece = x.loop().allocator().allocate(count).writeBytes(out, 0, count);
    takeReader().data(piece);
  }

  private BodyReader takeReader() {
    @Nullable BodyReader waiting = reader;
    reader = null;
    if (waiting == null) {
      throw new IllegalStateException("no reader is pending");
    }
    return waiting;
  }

  private void fail(Exception cause) throws Exception {
    BodyReader waiting = takeReader();
    close(State.CLOSED);
    x.refuse(cause); // first, because the reader may reset the exchange without a cause
    waiting.failed(cause);
  }

  private void close(State last) {
    state = last;
    if (held != null) {
      held.release();
      held = null;
    }
    if (decoder != null) {
      decoder.close();
      decoder = null;
    }
  }

  private void exchangeEnded(Outcome outcome) {
    if (state != State.OPEN) {
      return;
    }
    close(State.CLOSED);
    if (reader != null) {
      try {
        takeReader().failed(new ExchangeEndedException(outcome));
      } catch (Exception e) {
        LOG.log(System.Logger.Level.DEBUG, "a reader of the response failed", e);
      }
    }
  }

  /// Reads the received bytes.
  private final class Wire implements BodyReader {

    @Override
    public void data(ByteBuf bytes) throws Exception {
      if (decoder == null) {
        takeReader().data(bytes);
      } else {
        held = bytes;
        produce();
      }
    }

    @Override
    public void end(HttpHeaders trailers) throws Exception {
      if (decoder != null && !decoder.isComplete()) {
        fail(decoder.incomplete());
        return;
      }
      boolean isDecoded = decoder != null;
      close(State.ENDED);
      takeReader().end(isDecoded ? Compress.withoutDigests(trailers) : trailers);
    }

    @Override
    public void failed(Exception cause) throws Exception {
      close(State.CLOSED);
      takeReader().failed(cause);
    }
  }
}
