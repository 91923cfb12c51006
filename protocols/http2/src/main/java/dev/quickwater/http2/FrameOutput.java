package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.DateCache;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.HeaderField;
import dev.quickwater.http.engine.OutputBuffer;
import dev.quickwater.http2.FieldName.Pseudo;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes messages as frames to the output of a connection. It never flushes. Loop only.
///
/// A header block is encoded directly after the space for its frame header, which is written
/// afterwards. A block that exceeds the maximum frame size is divided into CONTINUATION frames.
final class FrameOutput {

  /// Space for a frame header, pseudo-header fields, Content-Length and Date.
  private static final int HEAD_ROOM = 160;

  private static final int CONTROL_ROOM = 64;
  private static final int CODES = 1000;

  private static final HeaderName CONTENT_LENGTH = HeaderName.of("content-length");
  private static final byte[][] STATUS = new byte[CODES][];

  static {
    for (int code = 100; code < STATUS.length; code++) {
      STATUS[code] = ascii(Integer.toString(code));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private final OutputBuffer output;
  private final HpackEncoder encoder;

  /// The maximum payload of a frame that is sent, at most the peer's SETTINGS_MAX_FRAME_SIZE.
  private int maxFrameSize = Frames.MIN_MAX_SIZE;

  private @Nullable HeaderField lastLength;
  private long lastLengthValue = -1;

  /// The authority of the last request. Most requests of a connection share one authority.
  private @Nullable Authority lastAuthority;

  private byte[] lastAuthorityBytes = {};

  FrameOutput(OutputBuffer output, int tableSize) {
    this.output = output;
    this.encoder = new HpackEncoder(tableSize);
  }

  void setMaxFrameSize(int bytes) {
    maxFrameSize = bytes;
  }

  int maxFrameSize() {
    return maxFrameSize;
  }

  /// Changes the size of the compression table.
  void resizeTable(int bytes) {
    encoder.resize(bytes);
  }

  /// Releases what makes the next head cheap. The compression table stays.
  void trim() {
    encoder.trim();
    lastLength = null;
    lastLengthValue = -1;
    lastAuthority = null;
  }

  // ---- messages ----

  /// Writes the head of a final response.
  ///
  /// @param length bytes of the body to announce, or -1
  /// @param more bytes of space that the caller uses after the head
  void response(
      int stream, ResponseHead head, long length, DateCache dates, int more, boolean endStream) {
    HttpHeaders headers = head.headers();
    ByteBuf out = output.buffer(room(headers) + more);
    int at = begin(out);
    encoder.pseudo(out, Pseudo.STATUS, STATUS[head.status().code()]);
    encoder.fields(out, headers);
    if (length >= 0) {
      encoder.field(out, length(length));
    }
    if (!headers.contains(HeaderName.DATE)) {
      encoder.field(out, dates.field());
    }
    end(out, at, stream, endStream);
  }

  /// Writes an informational response.
  void inform(int stream, HttpStatus status, HttpHeaders headers) {
    ByteBuf out = output.buffer(room(headers));
    int at = begin(out);
    encoder.pseudo(out, Pseudo.STATUS, STATUS[status.code()]);
    encoder.fields(out, headers);
    end(out, at, stream, false);
  }

  /// Writes the head of a request.
  ///
  /// @param length bytes of the body to announce, or -1
  void request(int stream, RequestHead head, long length, boolean endStream) {
    byte[] host = authority(head);
    byte[] path = head.target().originBytes(EngineAccess.GRANTED);
    ByteBuf out = output.buffer(room(head.headers()) + host.length + path.length);
    int at = begin(out);
    requestFields(out, head, host, path);
    if (length >= 0) {
      encoder.field(out, length(length));
    }
    end(out, at, stream, endStream);
  }

  /// Writes the promise of a response.
  ///
  /// @param stream the stream of the request that causes the promise
  void promise(int stream, int promised, RequestHead head) {
    byte[] host = authority(head);
    byte[] path = head.target().originBytes(EngineAccess.GRANTED);
    ByteBuf out = output.buffer(room(head.headers()) + host.length + path.length);
    int at = FrameWriter.beginHeaders(out);
    out.writeInt(promised);
    encoder.begin(out);
    requestFields(out, head, host, path);
    FrameWriter.endPromise(out, at, stream, promised, maxFrameSize);
  }

  private byte[] authority(RequestHead head) {
    @Nullable Authority authority = head.authority();
    if (authority == null) {
      return new byte[0];
    }
    if (!authority.equals(lastAuthority)) {
      lastAuthority = authority;
      lastAuthorityBytes = ascii(authority.toString());
    }
    return lastAuthorityBytes;
  }

  private void requestFields(ByteBuf out, RequestHead head, byte[] host, byte[] path) {
    @Nullable String protocol = head.protocol();
    boolean connect = head.method() == HttpMethod.CONNECT;
    if (protocol == null && head.method() == HttpMethod.GET) {
      encoder.known(out, StaticTable.METHOD_GET);
    } else {
      String method = protocol == null ? head.method().name() : "CONNECT";
      encoder.pseudo(out, Pseudo.METHOD, ascii(method));
    }
    if (!connect) {
      boolean secure = head.scheme().equals("https");
      encoder.known(out, secure ? StaticTable.SCHEME_HTTPS : StaticTable.SCHEME_HTTP);
      encoder.pseudo(out, Pseudo.PATH, path);
    }
    if (protocol != null) {
      encoder.pseudo(out, Pseudo.PROTOCOL, ascii(protocol));
    }
    encoder.pseudo(out, Pseudo.AUTHORITY, connect ? ascii(head.target().toString()) : host);
    encoder.fields(out, head.headers());
  }

  /// Writes trailers, which end the stream.
  void trailers(int stream, HttpHeaders trailers) {
    ByteBuf out = output.buffer(room(trailers));
    int at = begin(out);
    encoder.fields(out, trailers);
    end(out, at, stream, true);
  }

  private static int room(HttpHeaders headers) {
    return headers.encodedLength(EngineAccess.GRANTED) + HEAD_ROOM;
  }

  private HeaderField length(long length) {
    @Nullable HeaderField known = lastLength;
    if (known == null || lastLengthValue != length) {
      known = new HeaderField(CONTENT_LENGTH, ascii(Long.toString(length)), false);
      lastLength = known;
      lastLengthValue = length;
    }
    return known;
  }

  private int begin(ByteBuf out) {
    int start = FrameWriter.beginHeaders(out);
    encoder.begin(out);
    return start;
  }

  private void end(ByteBuf out, int start, int stream, boolean endStream) {
    FrameWriter.endHeaders(out, start, stream, maxFrameSize, endStream);
  }

  /// Writes the header of a DATA frame.
  ///
  /// @param more bytes of space that the caller uses after the header
  ByteBuf data(int stream, int length, boolean endStream, int more) {
    ByteBuf out = output.buffer(Frames.HEADER + more);
    FrameWriter.data(out, stream, length, endStream);
    return out;
  }

  /// Writes bytes of the payload after [#data]; takes ownership.
  void payload(ByteBuf bytes) {
    output.write(bytes);
  }

  // ---- control frames ----

  private ByteBuf control() {
    return output.buffer(CONTROL_ROOM);
  }

  void reset(int stream, ErrorCode code) {
    FrameWriter.reset(control(), stream, code);
  }

  void settings(long... idsAndValues) {
    FrameWriter.settings(output.buffer(CONTROL_ROOM + 3 * idsAndValues.length), idsAndValues);
  }

  void settingsAck() {
    FrameWriter.settingsAck(control());
  }

  void ping(long data, boolean ack) {
    FrameWriter.ping(control(), data, ack);
  }

  void goAway(int lastStream, ErrorCode code, String debug) {
    FrameWriter.goAway(output.buffer(CONTROL_ROOM + debug.length()), lastStream, code, debug);
  }

  void windowUpdate(int stream, int increment) {
    FrameWriter.windowUpdate(control(), stream, increment);
  }

  void preface(byte[] text) {
    output.buffer(text.length).writeBytes(text);
  }
}
