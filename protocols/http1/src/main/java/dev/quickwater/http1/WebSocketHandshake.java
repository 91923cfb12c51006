package dev.quickwater.http1;

import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The part of the WebSocket handshake that only HTTP/1.1 has: the key of the request, and the
/// value that the server computes from it to prove that it supports WebSocket (RFC 6455 section
/// 1.3). The engines of both sides write and check them, so one handler serves all versions.
final class WebSocketHandshake {

  static final String PROTOCOL = "websocket";
  static final String VERSION = "13";

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_BYTES = 16;
  private static final int KEY_LENGTH = 24;
  private static final HttpHeaders SUPPORTED =
      HttpHeaders.of(HeaderName.SEC_WEBSOCKET_VERSION.toString(), VERSION);

  private WebSocketHandshake() {}

  /// True if the request has an Upgrade to WebSocket.
  static boolean isRequested(RequestHead head) {
    return PROTOCOL.equals(head.protocol());
  }

  /// The reason why a server refuses the handshake of a request (RFC 6455 sections 4.2.1 and 4.4).
  /// Null if the handshake is valid, or if the request has no Upgrade to WebSocket.
  static @Nullable HttpException refusal(RequestHead head) {
    if (!isRequested(head)) {
      return null;
    }
    List<String> versions = head.headers().getAll(HeaderName.SEC_WEBSOCKET_VERSION);
    if (head.method() != HttpMethod.GET) {
      return bad("a WebSocket handshake is no GET request");
    }
    if (versions.size() != 1) {
      return bad("a WebSocket handshake has no single version");
    }
    if (!versions.getFirst().equals(VERSION)) {
      return new HttpException(
          HttpStatus.UPGRADE_REQUIRED, "the WebSocket version is not " + VERSION, SUPPORTED);
    }
    @Nullable String key = head.handshake(EngineAccess.GRANTED);
    return key == null || !isKey(key) ? bad("a WebSocket handshake has no valid key") : null;
  }

  private static HttpException bad(String fact) {
    return new HttpException(HttpStatus.BAD_REQUEST, fact);
  }

  private static boolean isKey(String key) {
    try {
      return key.length() == KEY_LENGTH && Base64.getDecoder().decode(key).length == KEY_BYTES;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /// A random key.
  static String newKey() {
    byte[] bytes = new byte[KEY_BYTES];
    Keys.RANDOM.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /// The Sec-WebSocket-Accept for a key.
  static String accept(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has no SHA-1", e); // every JDK has it
    }
  }

  /// Holds the random generator, which is created when the first client needs a key.
  private static final class Keys {
    private static final SecureRandom RANDOM = new SecureRandom();
  }
}
