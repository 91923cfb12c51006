package dev.quickwater.http2;

import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks a WebSocket request on HTTP/2 (RFC 8441 section 5). The version must be that of RFC 6455.
/// HTTP/2 does not use the keys of the HTTP/1.1 handshake.
final class ExtendedConnect {

  private static final String VERSION = "13";
  private static final HttpHeaders SUPPORTED = HttpHeaders.of("sec-websocket-version", VERSION);

  private ExtendedConnect() {}

  /// The reason why a request cannot open a tunnel; null if it can.
  static @Nullable HttpException refusal(RequestHead head) {
    if (!"websocket".equals(head.protocol())) {
      return null;
    }
    List<String> versions = head.headers().getAll(HeaderName.SEC_WEBSOCKET_VERSION);
    return versions.size() == 1 && versions.getFirst().equals(VERSION)
        ? null
        : new HttpException(
            HttpStatus.BAD_REQUEST, "the WebSocket version is not " + VERSION, SUPPORTED);
  }
}
