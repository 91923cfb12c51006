package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A request of HTTP/1.1 that changes to HTTP/2 in clear text (RFC 7540 section 3.2; RFC 9113 has
/// removed this upgrade).
final class UpgradedRequest {

  static final String PROTOCOL = "h2c";

  /// Bytes of a setting: its id and its value.
  private static final int SETTING = 6;

  private final RequestHead head;
  private final long[] settings;

  private UpgradedRequest(RequestHead head, long[] settings) {
    this.head = head;
    this.settings = settings;
  }

  /// The request that becomes stream 1, without the fields of the change.
  RequestHead head() {
    return head;
  }

  /// The client's settings: ids and values in turn.
  long[] settings() {
    return settings;
  }

  /// Reads a request. A server must not change the protocol unless the request has exactly one
  /// valid HTTP2-Settings field (RFC 7540 section 3.2.1).
  ///
  /// @return null if the request does not change to HTTP/2, or has a body or no valid settings
  static @Nullable UpgradedRequest of(RequestHead request) {
    @Nullable String encoded = request.handshake(EngineAccess.GRANTED);
    if (!PROTOCOL.equals(request.protocol()) || encoded == null || encoded.isEmpty()) {
      return null;
    }
    byte[] payload;
    try {
      payload = Base64.getUrlDecoder().decode(encoded);
    } catch (IllegalArgumentException _) {
      return null;
    }
    if (payload.length % SETTING != 0) {
      return null;
    }
    long[] settings = settings(payload);
    PeerSettings valid = new PeerSettings();
    try {
      valid.setAll(settings, false);
    } catch (Http2Exception _) {
      return null;
    }
    return new UpgradedRequest(request.toBuilder().protocol(null).build(), settings);
  }

  /// The value of an HTTP2-Settings field: the payload of a SETTINGS frame in base64url, without
  /// padding (RFC 7540 section 3.2.1).
  ///
  /// @param settings ids and values in turn
  static String encode(long[] settings) {
    ByteBuffer payload = ByteBuffer.allocate(settings.length / 2 * SETTING);
    for (int i = 0; i < settings.length; i += 2) {
      payload.putShort((short) settings[i]).putInt((int) settings[i + 1]);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(payload.array());
  }

  private static long[] settings(byte[] payload) {
    ByteBuf in = ByteBuf.wrap(payload);
    long[] settings = new long[payload.length / SETTING * 2];
    for (int i = 0; i < settings.length; i += 2) {
      settings[i] = in.readUnsignedShort();
      settings[i + 1] = in.readUnsignedInt();
    }
    return settings;
  }
}
