package dev.quickwater.tls.library;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses one ClientHello (RFC 8446 section 4.1.2, RFC 5246 section 7.4.1.2) in an array. All
/// lengths must be consistent. Unknown extensions are skipped, GREASE values (RFC 8701) among them.
///
/// The parser also checks two rules that not every library checks: no extension occurs twice, and
/// the client offers the null compression method.
final class ClientHelloParser {

  private static final int RANDOM = 32;
  private static final int MAX_SESSION_ID = 32;
  private static final int SERVER_NAME = 0;
  private static final int APPLICATION_PROTOCOLS = 16;
  private static final int SUPPORTED_VERSIONS = 43;
  private static final int HOST_NAME = 0;
  private static final int TLS_1_3 = 0x0304;

  /// `TLS_FALLBACK_SCSV`, RFC 7507.
  private static final int FALLBACK = 0x5600;

  /// Clients offer two or three. The limit bounds the objects that a ClientHello creates.
  private static final int MAX_PROTOCOLS = 64;

  private final byte[] bytes;
  private int at = 4;
  private int end;
  private @Nullable String serverName;
  private @Nullable List<String> protocols;
  private boolean offersTls13;

  /// A parser of the message with its header that ends at `end`.
  ClientHelloParser(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  ClientHello parse() throws TlsException {
    int version = number(2, "version");
    if (version >> 8 != 3) {
      throw TlsException.local(
          TlsAlert.PROTOCOL_VERSION,
          "the ClientHello has version 0x" + Integer.toHexString(version));
    }
    skip(RANDOM, "random");
    int sessionId = number(1, "session id");
    if (sessionId > MAX_SESSION_ID) {
      throw malformed("session id", sessionId + " bytes, the maximum is " + MAX_SESSION_ID);
    }
    skip(sessionId, "session id");
    int suites = number(2, "cipher suites");
    if (suites == 0 || suites % 2 != 0) {
      throw malformed("cipher suites", suites + " bytes");
    }
    boolean fallback = cipherSuites(suites);
    compressionMethods();
    // TLS 1.2 permits a ClientHello without extensions.
    if (at < end) {
      extensions();
    }
    return new ClientHello(
        serverName, protocols == null ? List.of() : List.copyOf(protocols), offersTls13, fallback);
  }

  /// Returns whether the client marks a fallback.
  private boolean cipherSuites(int length) throws TlsException {
    require(length, "cipher suites");
    boolean fallback = false;
    for (int last = at + length; at < last; ) {
      fallback |= number(2, "cipher suites") == FALLBACK;
    }
    return fallback;
  }

  /// RFC 8446 section 4.1.2 and RFC 5246 section 7.4.1.2 require the null method.
  private void compressionMethods() throws TlsException {
    String what = "compression methods";
    int length = number(1, what);
    if (length == 0) {
      throw malformed(what, "no method");
    }
    require(length, what);
    boolean none = false;
    for (int last = at + length; at < last; ) {
      none |= number(1, what) == 0;
    }
    if (!none) {
      throw TlsException.local(
          TlsAlert.ILLEGAL_PARAMETER, "the ClientHello does not offer the null compression method");
    }
  }

  private void extensions() throws TlsException {
    int length = number(2, "extensions");
    if (length != end - at) {
      throw malformed("extensions", "length " + length + ", " + (end - at) + " bytes are left");
    }
    int last = end;
    Set<Integer> types = new HashSet<>();
    while (at < last) {
      end = last;
      int type = number(2, "extension");
      if (!types.add(type)) {
        throw TlsException.local(
            TlsAlert.ILLEGAL_PARAMETER, "the ClientHello has the extension " + type + " twice");
      }
      int size = number(2, "extension " + type);
      require(size, "extension " + type);
      end = at + size;
      switch (type) {
        case SERVER_NAME -> serverName();
        case APPLICATION_PROTOCOLS -> applicationProtocols();
        case SUPPORTED_VERSIONS -> supportedVersions();
        default -> at = end;
      }
      if (at < end) {
        throw malformed("extension " + type, (end - at) + " bytes too many");
      }
    }
  }

  /// RFC 6066 section 3: a list with at most one name of each type; `host_name` is the only type.
  private void serverName() throws TlsException {
    String what = "server name (SNI)";
    requireRest(number(2, what), what);
    int type = number(1, what);
    if (type != HOST_NAME) {
      throw malformed(what, "name type " + type);
    }
    int length = number(2, what);
    requireRest(length, what);
    @Nullable String name =
        HostName.valid(new String(bytes, at, length, StandardCharsets.ISO_8859_1));
    if (name == null) {
      throw TlsException.local(
          TlsAlert.ILLEGAL_PARAMETER, "the server name (SNI) is not a host name in ASCII");
    }
    serverName = name;
    at = end;
  }

  /// RFC 7301 section 3.1: names of 1 to 255 bytes.
  private void applicationProtocols() throws TlsException {
    String what = "application protocols (ALPN)";
    List<String> names = new ArrayList<>();
    int length = number(2, what);
    if (length == 0) {
      throw malformed(what, "no protocol");
    }
    requireRest(length, what);
    while (at < end) {
      int size = number(1, what);
      if (size == 0) {
        throw malformed(what, "an empty name");
      }
      if (names.size() == MAX_PROTOCOLS) {
        throw TlsException.local(
            TlsAlert.ILLEGAL_PARAMETER,
            "the ClientHello has more than " + MAX_PROTOCOLS + " application protocols (ALPN)");
      }
      require(size, what);
      names.add(new String(bytes, at, size, StandardCharsets.ISO_8859_1));
      at += size;
    }
    protocols = names;
  }

  /// RFC 8446 section 4.2.1.
  private void supportedVersions() throws TlsException {
    String what = "supported versions";
    int length = number(1, what);
    if (length == 0 || length % 2 != 0) {
      throw malformed(what, length + " bytes");
    }
    requireRest(length, what);
    while (at < end) {
      offersTls13 |= number(2, what) == TLS_1_3;
    }
  }

  private void requireRest(int length, String what) throws TlsException {
    if (length != end - at) {
      throw malformed(what, "length " + length + ", " + (end - at) + " bytes are left");
    }
  }

  private void require(int length, String what) throws TlsException {
    if (length > end - at) {
      throw malformed(what, length + " bytes, " + (end - at) + " are left");
    }
  }

  private void skip(int length, String what) throws TlsException {
    require(length, what);
    at += length;
  }

  private int number(int width, String what) throws TlsException {
    require(width, what);
    int value = 0;
    for (int i = 0; i < width; i++) {
      value = value << 8 | bytes[at++] & 0xff;
    }
    return value;
  }

  private static TlsException malformed(String what, String fact) {
    return TlsException.local(
        TlsAlert.DECODE_ERROR, "the ClientHello is malformed: " + what + ": " + fact);
  }
}
