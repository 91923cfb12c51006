package dev.quickwater.web;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.Authority;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http2.Http2Settings;
import dev.quickwater.http2.PushListener;
import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The settings of an [HttpClient]; immutable, checked when created.
///
/// @param loops the event loops of requests without a bound loop; they start with the first such
///   request
/// @param channel water marks, buffers, socket options and connect timeout of connections
/// @param versions which versions of HTTP are used, with the limits and deadlines of each
/// @param pool limits of the connections to one origin
/// @param requests rules of whole requests
public record HttpClientSettings(
    LoopSettings loops,
    ChannelSettings channel,
    VersionSettings versions,
    PoolLimits pool,
    RequestRules requests) {

  /// Limits of the connections from one loop to one origin.
  ///
  /// @param maxConnections open connections, not counting those that drain
  /// @param maxWaiting requests that may wait for a connection; further requests fail at once
  /// @param waitTimeout how long a request waits for a connection
  public record PoolLimits(int maxConnections, int maxWaiting, Duration waitTimeout) {

    /// 64 connections, 1,000 waiting requests, 10 s.
    public static final PoolLimits DEFAULT = new PoolLimits(64, 1000, Duration.ofSeconds(10));

    /// Checks the values.
    public PoolLimits {
      SettingCheck.require(maxConnections >= 1, "maxConnections", maxConnections, "1 or more");
      SettingCheck.require(maxWaiting >= 0, "maxWaiting", maxWaiting, "0 or more");
      SettingCheck.require(waitTimeout.isPositive(), "waitTimeout", waitTimeout, "more than zero");
    }
  }

  /// Rules for pushed and for compressed responses.
  ///
  /// @param pushes receives the responses that HTTP/2 servers push; null disables push
  /// @param decompression the limits of decoding. If it is null, the client requests no compressed
  ///   responses and decodes none
  public record ResponseRules(
      @Nullable PushListener pushes, @Nullable Decompression decompression) {

    /// No pushed responses, no decompression.
    public static final ResponseRules DEFAULT = new ResponseRules(null, null);
  }

  /// Decoding of compressed responses. Requests of [HttpClient] accept the codings gzip and
  /// deflate, and a response is decoded while it is read. A decoded response has no
  /// Content-Encoding, no length and no digests.
  ///
  /// - Requests with an Accept-Encoding or a Range, HEAD requests and requests for tunnels are sent
  ///   unchanged. Their responses are not decoded.
  /// - A body that is broken or ends early fails with a [java.util.zip.ZipException].
  /// - The limit [dev.quickwater.http.ExchangeLimits#maxBody] applies to the received bytes and to
  ///   the decoded bytes.
  ///
  /// @param maxRatio the maximum of decoded bytes divided by received bytes, enforced above 1 MiB
  ///   of decoded bytes. Text usually has a ratio of 5, repetitive text 50; the maximum of deflate
  ///   is 1,032
  public record Decompression(int maxRatio) {

    /// At most 200 times the received bytes.
    public static final Decompression DEFAULT = new Decompression(200);

    /// Checks the value.
    public Decompression {
      SettingCheck.require(maxRatio >= 1, "maxRatio", maxRatio, "1 or more");
    }
  }

  /// Rules of [HttpClient#send] and [HttpClient#get], and the proxy and the response rules of all
  /// requests.
  ///
  /// @param timeout the time from the call to the end of the response, including redirects and
  ///   repetitions; zero for no limit
  /// @param maxRedirects redirects that are followed; a further redirect is returned as the
  ///   response
  /// @param maxRepeats how often a request is repeated if its connection ended and a repetition is
  ///   safe
  /// @param proxy the proxy that receives all requests, or null
  /// @param responses rules for pushed and for compressed responses
  public record RequestRules(
      Duration timeout,
      int maxRedirects,
      int maxRepeats,
      @Nullable Authority proxy,
      ResponseRules responses) {

    /// No total timeout, 10 redirects, 3 repetitions, no proxy, no pushed responses, no
    /// decompression.
    public static final RequestRules DEFAULT =
        new RequestRules(Duration.ZERO, 10, 3, null, ResponseRules.DEFAULT);

    /// Checks the values.
    public RequestRules {
      SettingCheck.require(!timeout.isNegative(), "timeout", timeout, "0 or more");
      SettingCheck.require(maxRedirects >= 0, "maxRedirects", maxRedirects, "0 or more");
      SettingCheck.require(maxRepeats >= 0, "maxRepeats", maxRepeats, "0 or more");
    }

    /// These rules with another timeout.
    public RequestRules withTimeout(Duration limit) {
      return new RequestRules(limit, maxRedirects, maxRepeats, proxy, responses);
    }

    /// These rules with another number of redirects.
    public RequestRules withMaxRedirects(int count) {
      return new RequestRules(timeout, count, maxRepeats, proxy, responses);
    }

    /// These rules with another number of repetitions.
    public RequestRules withMaxRepeats(int count) {
      return new RequestRules(timeout, maxRedirects, count, proxy, responses);
    }

    /// These rules with another proxy, or without one.
    public RequestRules withProxy(@Nullable Authority authority) {
      return new RequestRules(timeout, maxRedirects, maxRepeats, authority, responses);
    }

    /// These rules with a listener for pushed responses, or without one.
    public RequestRules withPushes(@Nullable PushListener listener) {
      return withResponses(new ResponseRules(listener, responses.decompression));
    }

    /// These rules with decompression, or without it.
    public RequestRules withDecompression(@Nullable Decompression limits) {
      return withResponses(new ResponseRules(responses.pushes, limits));
    }

    /// These rules with other rules for responses.
    public RequestRules withResponses(ResponseRules other) {
      return new RequestRules(timeout, maxRedirects, maxRepeats, proxy, other);
    }
  }

  /// The defaults of each part, with at most two loops, 10 s to connect, 30 s until a response
  /// begins, and 60 s idle in the pool.
  public static final HttpClientSettings DEFAULT =
      new HttpClientSettings(
          new LoopSettings(Math.min(2, Runtime.getRuntime().availableProcessors()), "auto"),
          ChannelSettings.DEFAULT.withConnectTimeout(Duration.ofSeconds(10)),
          clientDefaults(),
          PoolLimits.DEFAULT,
          RequestRules.DEFAULT);

  private static VersionSettings clientDefaults() {
    Duration head = Duration.ofSeconds(30);
    Duration idle = Duration.ofSeconds(60);
    Http2Settings.Timeouts timeouts = Http2Settings.Timeouts.DEFAULT;
    return VersionSettings.DEFAULT
        .withHttp1(Http1Settings.DEFAULT.withTimeouts(head, idle))
        .withHttp2(
            Http2Settings.DEFAULT.withTimeouts(
                new Http2Settings.Timeouts(
                    head, idle, timeouts.pingInterval(), timeouts.pingTimeout(), Duration.ZERO)));
  }

  /// Half-closed connections always stay open, because HTTP requires it.
  public HttpClientSettings {
    channel = channel.withHalfClose(true);
  }

  /// These settings with other loops.
  public HttpClientSettings withLoops(LoopSettings other) {
    return new HttpClientSettings(other, channel, versions, pool, requests);
  }

  /// These settings with other settings of connections.
  public HttpClientSettings withChannel(ChannelSettings other) {
    return new HttpClientSettings(loops, other, versions, pool, requests);
  }

  /// Limits and deadlines of HTTP/1.1.
  public Http1Settings http1() {
    return versions.http1();
  }

  /// Limits and deadlines of HTTP/2.
  public Http2Settings http2() {
    return versions.http2();
  }

  /// These settings with other versions of HTTP.
  public HttpClientSettings withVersions(VersionSettings other) {
    return new HttpClientSettings(loops, channel, other, pool, requests);
  }

  /// These settings with other limits of HTTP/1.1.
  public HttpClientSettings withHttp1(Http1Settings other) {
    return withVersions(versions.withHttp1(other));
  }

  /// These settings with other limits of HTTP/2.
  public HttpClientSettings withHttp2(Http2Settings other) {
    return withVersions(versions.withHttp2(other));
  }

  /// These settings with other limits of the pool.
  public HttpClientSettings withPool(PoolLimits other) {
    return new HttpClientSettings(loops, channel, versions, other, requests);
  }

  /// These settings with other rules of requests.
  public HttpClientSettings withRequests(RequestRules other) {
    return new HttpClientSettings(loops, channel, versions, pool, other);
  }
}
