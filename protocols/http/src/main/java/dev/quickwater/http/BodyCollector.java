package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.util.Arrays;

/// Collects a whole body as an array.
final class BodyCollector implements BodyReader {

  private final IncomingBody body;
  private final int maxBytes;
  private final Promise<byte[]> promise;
  private byte[] bytes = new byte[0];
  private int length;

  private BodyCollector(IncomingBody body, int maxBytes, Promise<byte[]> promise) {
    this.body = body;
    this.maxBytes = maxBytes;
    this.promise = promise;
  }

  /// Collects a body.
  ///
  /// @param announced its length, or -1. A body that is announced as too long fails before it is
  ///   read, so no 100 (Continue) requests it
  static Future<byte[]> collect(
      Exchange exchange, IncomingBody body, int maxBytes, long announced) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes is " + maxBytes + ", expected 0 or more");
    }
    Promise<byte[]> promise = exchange.loop().newPromise();
    if (announced > maxBytes) {
      promise.failure(tooLarge(maxBytes));
      return promise;
    }
    exchange.onEnd(outcome -> {
      if (!promise.isDone()) { // an exception costs more than the rest of an exchange
        promise.tryFailure(new ExchangeEndedException(outcome));
      }
    });
    body.read(new BodyCollector(body, maxBytes, promise));
    return promise;
  }

  @Override
  public void data(ByteBuf piece) {
    try {
      int more = piece.readableBytes();
      if (more > maxBytes - length) {
        promise.tryFailure(tooLarge(maxBytes));
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

  private static HttpException tooLarge(int maxBytes) {
    return new HttpException(
        HttpStatus.CONTENT_TOO_LARGE, "the body has more than " + maxBytes + " bytes");
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
