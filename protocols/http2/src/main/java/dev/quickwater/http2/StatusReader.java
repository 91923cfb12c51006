package dev.quickwater.http2;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.util.concurrent.RejectedExecutionException;

/// Reads the status of an engine.
final class StatusReader {

  private StatusReader() {}

  /// The status, on any thread; complete at once on the loop.
  static Future<Http2Status> read(Http2Engine engine) {
    EventLoop loop = engine.io.loop();
    Promise<Http2Status> promise = loop.newPromise();
    if (loop.inLoop()) {
      promise.trySuccess(of(engine));
    } else {
      try {
        loop.execute(() -> promise.trySuccess(of(engine)));
      } catch (RejectedExecutionException e) {
        promise.tryFailure(e);
      }
    }
    return promise;
  }

  /// The settings in effect, and counts. Loop only.
  static Http2Status of(Http2Engine engine) {
    PeerSettings own = new PeerSettings();
    own.push(engine.isRemote(2)); // only clients accept pushed streams
    try {
      own.setAll(engine.ownSettings(), false);
    } catch (Http2Exception e) {
      throw new IllegalStateException("a setting of this side is invalid", e);
    }
    return new Http2Status(
        own.values(),
        engine.peer.values(),
        engine.received.phase(),
        engine.streamCount(),
        new Http2Status.Trips(engine.budgets.trips(), engine.budgets.trippedSetting()));
  }
}
