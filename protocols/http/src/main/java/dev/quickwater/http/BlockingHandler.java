package dev.quickwater.http;

import java.io.InputStream;

/// Answers requests on a virtual thread of their own; it may block.
@FunctionalInterface
public interface BlockingHandler {

  /// Returns the whole response. What it throws becomes a response of status 500.
  ///
  /// @param body the request's body; reading blocks until there is some, and throws when the peer
  ///   gives up
  HttpResponse handle(HttpRequest request, InputStream body) throws Exception;
}
