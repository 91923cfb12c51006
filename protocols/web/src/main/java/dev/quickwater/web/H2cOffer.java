package dev.quickwater.web;

import dev.quickwater.http.Authority;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.ClientHandler;
import dev.quickwater.http1.Http1ClientHandler;
import dev.quickwater.http1.Http1ClientHandler.Peer;
import dev.quickwater.http2.Http2ClientHandler;
import dev.quickwater.http2.PushListener;
import dev.quickwater.web.VersionSettings.Versions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Offers the server of a new connection in clear text to change from HTTP/1.1 to HTTP/2 (RFC 7540
/// section 3.2).
///
/// - The offer is an `OPTIONS *`, which costs a round trip. The requests of the program are then
///   sent on a connection whose version is known, so a request with a body needs no special case.
/// - A server that answers otherwise is used with HTTP/1.1. If it closes the connection, another
///   one is opened, without an offer.
///
/// Loop only.
final class H2cOffer {

  private static final String PROTOCOL = "h2c";
  private static final int MAX_ANSWER = 64 << 10;

  private final VersionSettings versions;
  private final Origin origin;
  private final int exchanges;
  private final @Nullable PushListener pushes;

  /// @param exchanges how many exchanges the connection is expected to carry at the same time
  /// @param pushes receives pushed responses; null disables push
  H2cOffer(VersionSettings versions, Origin origin, int exchanges, @Nullable PushListener pushes) {
    this.pushes = pushes;
    this.versions = versions;
    this.origin = origin;
    this.exchanges = exchanges;
  }

  /// True if connections to a server begin with an offer.
  static boolean isMade(VersionSettings versions, Origin origin) {
    return versions.h2cUpgrade()
        && versions.versions() == Versions.BOTH
        && !origin.secure()
        && origin.peer() == Peer.ORIGIN;
  }

  /// A handler for the connection, which can send the offer.
  Http1ClientHandler handler() {
    return new Http1ClientHandler(
        versions.http1(),
        Peer.ORIGIN,
        Http2ClientHandler.upgradeSettings(versions.http2(), pushes));
  }

  /// Sends the offer on a connection.
  ///
  /// @param result is called with the handler of the connection, or with null if the server has
  ///   closed the connection
  /// @param failure is called instead if the server does not answer in time, or if the initializer
  ///   of HTTP/2 throws
  void send(
      Http1ClientHandler http1,
      Consumer<@Nullable ClientHandler> result,
      Consumer<Throwable> failure) {
    RequestHead head =
        RequestHead.builder(HttpMethod.OPTIONS, "*")
            .authority(new Authority(origin.host(), origin.port()))
            .protocol(PROTOCOL)
            .build();
    http1
        .connection()
        .open(head)
        .onComplete(opened -> {
          if (opened.isSuccess()) {
            sent(opened.value(), http1, result, failure);
          } else {
            result.accept(null);
          }
        });
  }

  private void sent(
      ClientExchange exchange,
      Http1ClientHandler http1,
      Consumer<@Nullable ClientHandler> result,
      Consumer<Throwable> failure) {
    exchange.onResponse(_ -> {
      if (exchange.isTunnel()) {
        accepted(exchange, result, failure);
      } else {
        exchange.readAll(MAX_ANSWER);
      }
    });
    exchange.onEnd(outcome -> {
      if (!exchange.isTunnel()) {
        refused(outcome, http1, result, failure);
      }
    });
  }

  private void accepted(
      ClientExchange exchange,
      Consumer<@Nullable ClientHandler> result,
      Consumer<Throwable> failure) {
    Http2ClientHandler http2 =
        Http2ClientHandler.upgraded(exchange.request(), versions.http2(), exchanges, pushes);
    exchange.tunnel(channel -> {
      try {
        versions.http2Initializer().initialize(channel);
        channel.pipeline().addLast(http2);
      } catch (Throwable t) {
        failure.accept(t);
        throw t;
      }
      result.accept(http2);
    });
  }

  private static void refused(
      Outcome outcome,
      Http1ClientHandler http1,
      Consumer<@Nullable ClientHandler> result,
      Consumer<Throwable> failure) {
    if (outcome.kind() == Outcome.Kind.TIMEOUT && outcome.cause() != null) {
      failure.accept(outcome.cause());
    } else {
      result.accept(http1.canOpen() ? http1 : null);
    }
  }
}
