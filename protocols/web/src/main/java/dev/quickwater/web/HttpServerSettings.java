package dev.quickwater.web;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http2.Http2Settings;
import java.time.Duration;

/// The settings of an [HttpServer]; immutable, checked when created.
///
/// @param loops the number of event loops and their transport
/// @param channel water marks, buffers and socket options of connections
/// @param versions which versions of HTTP are used, with the limits and deadlines of each
/// @param maxConnections open connections; further connections are closed when they are accepted
/// @param drainTimeout how long [RunningServer#close] waits for open exchanges
public record HttpServerSettings(
    LoopSettings loops,
    ChannelSettings channel,
    VersionSettings versions,
    int maxConnections,
    Duration drainTimeout) {

  /// The defaults of each part, 100,000 connections, 30 s to drain.
  public static final HttpServerSettings DEFAULT =
      new HttpServerSettings(
          LoopSettings.DEFAULT,
          ChannelSettings.DEFAULT.withHalfClose(true),
          VersionSettings.DEFAULT,
          100_000,
          Duration.ofSeconds(30));

  /// Checks the values. Half-closed connections always stay open, because HTTP requires it.
  public HttpServerSettings {
    if (maxConnections < 1) {
      throw new IllegalArgumentException(
          "maxConnections is " + maxConnections + ", expected 1 or more");
    }
    if (drainTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "drainTimeout is " + drainTimeout + ", expected 0 or more");
    }
    channel = channel.withHalfClose(true);
  }

  /// These settings with other loops.
  public HttpServerSettings withLoops(LoopSettings other) {
    return new HttpServerSettings(other, channel, versions, maxConnections, drainTimeout);
  }

  /// These settings with other settings of connections.
  public HttpServerSettings withChannel(ChannelSettings other) {
    return new HttpServerSettings(loops, other, versions, maxConnections, drainTimeout);
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
  public HttpServerSettings withVersions(VersionSettings other) {
    return new HttpServerSettings(loops, channel, other, maxConnections, drainTimeout);
  }

  /// These settings with other limits of HTTP/1.1.
  public HttpServerSettings withHttp1(Http1Settings other) {
    return withVersions(versions.withHttp1(other));
  }

  /// These settings with other limits of HTTP/2.
  public HttpServerSettings withHttp2(Http2Settings other) {
    return withVersions(versions.withHttp2(other));
  }

  /// These settings with another limit of connections.
  public HttpServerSettings withMaxConnections(int count) {
    return new HttpServerSettings(loops, channel, versions, count, drainTimeout);
  }

  /// These settings with another drain timeout.
  public HttpServerSettings withDrainTimeout(Duration timeout) {
    return new HttpServerSettings(loops, channel, versions, maxConnections, timeout);
  }
}
