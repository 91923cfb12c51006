package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.util.Arrays;

/// Collects a whole body as an array.
final class BodyCollector implements BodyReader {

  private static final int FIRST = 1024;

  private final IncomingBody body;
  private final int maxBytes;
  private final Promise<byte[]> promise;
  private byte[] bytes;
  private int length;

  private BodyCollector(IncomingBody body, int maxBytes, int expected, Promise<byte[]> promise) {
    this.body = body;
    this.maxBytes = maxBytes;
    this.promise = promise;
    this.bytes = new byte[expected];
  }

  static Future<byte[]> collect(Exchange exchange, IncomingBody body, int maxBytes) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes is " + maxBytes + ", expected 0 or more");
    }
    Promise<byte[]> promise = exchange.loop().newPromise();
    exchange.onEnd(outcome -> promise.tryFailure(new ExchangeEndedException(outcome)));
    body.read(new BodyCollector(body, maxBytes, Math.min(FIRST, maxBytes), promise));
    return promise;
  }

  @Override
  public void data(ByteBuf piece) {
    try {
      int more = piece.readableBytes();
      if (more > maxBytes - length) {
        promise.tryFailure(
            new HttpException(
                HttpStatus.CONTENT_TOO_LARGE, "the body has more than " + maxBytes + " bytes"));
        return;
      }
      if (more > bytes.length - length) {
        long doubled = Math.max(2L * bytes.length, length + more);
        bytes = Arrays.copyOf(bytes, (int) Math.min(doubled, maxBytes));
      }
      piece.readBytes(bytes, length, more);
      length += more;
    } finally {
      piece.release();
    }
    body.read(this);
  }

  @Override
  public void end(HttpHeaders trailers) {
    promise.trySuccess(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
  }

  @Override
  public void failed(Exception cause) {
    promise.tryFailure(cause);
  }
}
