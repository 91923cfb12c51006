package dev.quickwater.http2;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;

/// Receives the responses that servers push to a client (RFC 9113 section 8.4).
///
/// A client without a listener disables push (SETTINGS_ENABLE_PUSH). With a listener:
///
/// - A promised request is a GET or HEAD without a body, with the scheme and the authority of the
///   request that caused it. Other promises are reset with PROTOCOL_ERROR.
/// - At most `maxStreams` ([Http2Settings.StreamLimits]) promised streams are open; further
///   promises are reset with REFUSED_STREAM.
/// - The limits of exchanges apply to a pushed response: `maxBody`, and the idle timeout, which
///   ends a response that is not read.
public interface PushListener {

  /// A server promises a response. Called on the loop of the connection, before the head of the
  /// response arrives. An exception resets the push.
  ///
  /// @param cause the request on whose stream the promise arrived
  /// @param push the promised request with its response, which the listener must read to its end or
  ///   [reset][ClientExchange#reset]. The response belongs to it alone, and its request body has
  ///   ended
  void promised(RequestHead cause, ClientExchange push);
}
