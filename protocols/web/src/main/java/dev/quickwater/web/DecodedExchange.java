package dev.quickwater.web;

import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.AttributeKey;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.ClientSideExchange;
import dev.quickwater.web.HttpClientSettings.Decompression;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An exchange whose request accepts compressed content, and whose response is decoded.
///
/// - **Requests** of three kinds are sent unchanged, and their responses are not decoded: requests
///   with an Accept-Encoding; requests for a range, because a part cannot be decoded; and requests
///   whose response has no content, which are HEAD and tunnels.
/// - **Responses** of the codings gzip and deflate lose Content-Encoding, the length, and the
///   digests of the encoded bytes (RFC 9530), in trailers as well. The other fields stay, including
///   the entity tag, which identifies the encoded form. A response with another coding, with
///   several codings, or with the status 206 stays as it is.
final class DecodedExchange implements ClientExchange {

  private static final String ACCEPTED = "gzip, deflate";

  private final ClientSideExchange x;
  private final Decompression rules;
  private final DecodedBody body;
  private @Nullable ResponseHead response;
  private @Nullable Consumer<? super ResponseHead> onResponse;

  private DecodedExchange(ClientSideExchange x, Decompression rules) {
    this.x = x;
    this.rules = rules;
    this.body = new DecodedBody(x);
    x.onResponse(this::responded);
  }

  /// True if the response to this request may be decoded.
  static boolean isFor(RequestHead head) {
    return head.protocol() == null
        && !head.method().equals(HttpMethod.CONNECT)
        && !head.method().equals(HttpMethod.HEAD)
        && !head.headers().contains(HeaderName.RANGE)
        && !head.headers().contains(HeaderName.ACCEPT_ENCODING);
  }

  /// The head with an Accept-Encoding of gzip and deflate.
  static RequestHead accepting(RequestHead head) {
    return head.toBuilder().add(HeaderName.ACCEPT_ENCODING, ACCEPTED).build();
  }

  /// An exchange that was opened with the result of [#accepting].
  static ClientExchange of(ClientExchange exchange, Decompression rules) {
    return new DecodedExchange((ClientSideExchange) exchange, rules);
  }

  /// The exchange that the connection has opened.
  static ClientSideExchange onWire(ClientExchange exchange) {
    return exchange instanceof DecodedExchange decoded ? decoded.x : (ClientSideExchange) exchange;
  }

  private void responded(ResponseHead head) {
    @Nullable ContentCoding coding = coding(head);
    ResponseHead shown = head;
    if (coding != null) {
      body.decodeWith(new ContentDecoder(coding, rules.maxRatio()));
      shown = withoutCoding(head);
    }
    response = shown;
    if (onResponse != null) {
      onResponse.accept(shown);
    }
  }

  private @Nullable ContentCoding coding(ResponseHead head) {
    @Nullable String field = head.headers().getSingle(HeaderName.CONTENT_ENCODING);
    if (field == null
        || x.isTunnel()
        || head.status().isBodiless()
        || head.status().equals(HttpStatus.PARTIAL_CONTENT)) {
      return null;
    }
    return switch (field.toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> ContentCoding.GZIP;
      case "deflate" -> ContentCoding.DEFLATE;
      default -> null;
    };
  }

  private static ResponseHead withoutCoding(ResponseHead head) {
    HttpHeaders plain = head.headers().toBuilder().remove(HeaderName.CONTENT_ENCODING).build();
    return head.withHeaders(Compress.withoutDigests(plain)).withLength(ResponseHead.UNKNOWN_LENGTH);
  }

  @Override
  public void onResponse(Consumer<? super ResponseHead> action) {
    if (!x.loop().inLoop()) {
      throw new IllegalStateException("an exchange belongs to its loop, " + x.loop().name());
    }
    if (onResponse != null) {
      throw new IllegalStateException("a callback for the response was registered before");
    }
    onResponse = action;
    @Nullable ResponseHead known = response;
    if (known != null) {
      x.loop()
          .ready(() -> {
            if (!x.isOver()) {
              x.guard(() -> action.accept(known));
            }
          });
    }
  }

  @Override
  public IncomingBody responseBody() {
    return body;
  }

  // ---- forwarded unchanged ----

  @Override
  public RequestHead request() {
    return x.request();
  }

  @Override
  public EventLoop loop() {
    return x.loop();
  }

  @Override
  public void execute(Runnable task) {
    x.execute(task);
  }

  @Override
  public HttpConnection connection() {
    return x.connection();
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    return x.attribute(key);
  }

  @Override
  public <T> void attribute(AttributeKey<T> key, T value) {
    x.attribute(key, value);
  }

  @Override
  public ExchangeLimits limits() {
    return x.limits();
  }

  @Override
  public void limits(ExchangeLimits limits) {
    x.limits(limits);
  }

  @Override
  public void reset(ResetCode code) {
    x.reset(code);
  }

  @Override
  public void onDrain(Runnable action) {
    x.onDrain(action);
  }

  @Override
  public void onEnd(Consumer<? super Outcome> action) {
    x.onEnd(action);
  }

  @Override
  public OutgoingBody requestBody() {
    return x.requestBody();
  }

  @Override
  public void onInform(BiConsumer<HttpStatus, HttpHeaders> action) {
    x.onInform(action);
  }

  @Override
  public boolean isTunnel() {
    return x.isTunnel();
  }

  @Override
  public void tunnel(ChannelInitializer initializer) {
    x.tunnel(initializer);
  }
}
