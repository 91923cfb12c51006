package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Turns the frames of one direction into lines of [FrameTrace], whose doc has the form.
final class TraceLine implements FrameHandler {

  /// The maximum size of a frame other than DATA; a larger frame is an error of the trace.
  private static final int MAX_FRAME = 64 << 10;

  /// The size of a compression table before settings arrive.
  private static final int INITIAL_TABLE = 4 << 10;

  /// The maximum size of a compression table that is traced.
  private static final int MAX_TABLE = 64 << 10;

  /// The number of characters of a line after which no field or setting is added.
  private static final int MAX_LINE = 8 << 10;

  /// The maximum number of characters of a field or of another text of the peer.
  private static final int MAX_TEXT = 1 << 10;

  private static final String[] TYPES = {
    "DATA",
    "HEADERS",
    "PRIORITY",
    "RST_STREAM",
    "SETTINGS",
    "PUSH_PROMISE",
    "PING",
    "GOAWAY",
    "WINDOW_UPDATE",
    "CONTINUATION",
  };

  /// By number, from 1 on (RFC 9113 section 6.5.2, RFC 8441, RFC 9218).
  private static final String[] SETTINGS = {
    "HEADER_TABLE_SIZE",
    "ENABLE_PUSH",
    "MAX_CONCURRENT_STREAMS",
    "INITIAL_WINDOW_SIZE",
    "MAX_FRAME_SIZE",
    "MAX_HEADER_LIST_SIZE",
    "SETTING_0x7",
    "ENABLE_CONNECT_PROTOCOL",
    "NO_RFC7540_PRIORITIES",
  };

  private final char direction;
  private final int maxData;
  private final HpackDecoder decoder = new HpackDecoder(INITIAL_TABLE);
  private @Nullable StringBuilder text;

  /// Payload bytes of a DATA frame that have not arrived; 0 for other frames.
  private int left;

  /// Bytes of padding of the DATA frame, including its length byte.
  private int padding;

  /// The first bytes of the content of the DATA frame.
  private final byte[] data;

  private int dataLength;
  private int contentLength;

  /// Fields or settings that were left out.
  private int more;

  TraceLine(char direction, int maxData) {
    this.direction = direction;
    this.maxData = maxData;
    data = new byte[maxData];
    decoder.allow(MAX_TABLE); // the sender announces each change of the size in a block
  }

  /// The start of a line.
  StringBuilder note(String rest) {
    return new StringBuilder().append(direction).append(' ').append(rest);
  }

  /// Returns the line of a complete frame, once; null if there is none.
  @Nullable CharSequence take() {
    @Nullable StringBuilder complete = text;
    if (complete == null || left > 0) {
      return null;
    }
    text = null;
    if (more > 0) {
      complete.append(" more=").append(more);
    }
    return complete;
  }

  private StringBuilder text() {
    if (text == null) {
      throw new IllegalStateException("no frame has begun");
    }
    return text;
  }

  private StringBuilder key(String name) {
    return text().append(' ').append(name).append('=');
  }

  /// Appends a quoted text of the peer, of bounded length.
  private void quoted(String name, CharSequence value) {
    int length = Math.min(value.length(), MAX_TEXT);
    TraceText.quote(key(name), value.subSequence(0, length));
    if (length < value.length()) {
      key("cut").append(value.length() - length);
    }
  }

  /// True if the line has space for another field or setting. Counts the missing item otherwise.
  private boolean hasSpace() {
    if (text().length() < MAX_LINE) {
      return true;
    }
    more++;
    return false;
  }

  // ---- frames ----

  /// Checks the size of a frame other than DATA.
  static void checkLength(int type, int length) throws Http2Exception {
    if (type != Frames.DATA && length > MAX_FRAME) {
      throw Http2Exception.connection(
          ErrorCode.ENHANCE_YOUR_CALM,
          "a frame of type " + type + " has " + length + " bytes, more than are traced");
    }
  }

  @Override
  public void frame(int type, int flags, int stream, int length) throws Http2Exception {
    if (isKnown(type)) {
      checkLength(type, length);
    }
    more = 0;
    left = 0;
    text = note(stream + " " + typeName(type));
    key("length").append(length);
    appendFlags(key("flags"), type, flags);
    if (type == Frames.DATA) {
      left = length;
      padding = 0;
      dataLength = 0;
      contentLength = 0;
    }
  }

  private static boolean isKnown(int type) {
    return type < TYPES.length || type == Frames.PRIORITY_UPDATE;
  }

  private static String typeName(int type) {
    if (type < TYPES.length) {
      return TYPES[type];
    }
    return type == Frames.PRIORITY_UPDATE ? "PRIORITY_UPDATE" : "TYPE_0x" + hex(type);
  }

  private static String hex(int number) {
    return Integer.toHexString(number);
  }

  private static void appendFlags(StringBuilder to, int type, int flags) {
    int start = to.length();
    int rest = flags;
    rest -= flag(to, rest, Frames.ACK, "ACK", type == Frames.SETTINGS || type == Frames.PING);
    boolean message = type == Frames.DATA || type == Frames.HEADERS;
    rest -= flag(to, rest, Frames.END_STREAM, "END_STREAM", message);
    boolean block = type == Frames.HEADERS || type == Frames.PUSH_PROMISE;
    boolean last = block || type == Frames.CONTINUATION;
    rest -= flag(to, rest, Frames.END_HEADERS, "END_HEADERS", last);
    rest -= flag(to, rest, Frames.PADDED, "PADDED", block || type == Frames.DATA);
    rest -= flag(to, rest, Frames.PRIORITY_FLAG, "PRIORITY", type == Frames.HEADERS);
    if (rest != 0) {
      to.append("0x").append(hex(rest)).append('+');
    }
    if (to.length() == start) {
      to.append('-');
    } else {
      to.setLength(to.length() - 1);
    }
  }

  /// Appends the name of a flag that is set and that the type defines.
  ///
  /// @return the flag, or 0
  private static int flag(StringBuilder to, int flags, int flag, String name, boolean isDefined) {
    if (!isDefined || (flags & flag) == 0) {
      return 0;
    }
    to.append(name).append('+');
    return flag;
  }

  @Override
  public void data(int stream, ByteBuf bytes, int pad, boolean endStream) {
    try {
      int count = bytes.readableBytes();
      int kept = Math.min(count, maxData - dataLength);
      bytes.copyToArray(bytes.readerIndex(), data, dataLength, kept);
      dataLength += kept;
      contentLength += count;
      padding += pad;
      left -= count + pad;
    } finally {
      bytes.release();
    }
    if (left == 0) {
      endData();
    }
  }

  private void endData() {
    StringBuilder to = key("data").append('"');
    for (int i = 0; i < dataLength; i++) {
      TraceText.escape(to, (char) (data[i] & 0xff));
    }
    to.append('"');
    if (contentLength > dataLength) {
      key("cut").append(contentLength - dataLength);
    }
    if (padding > 0) {
      key("padding").append(padding - 1); // less the byte that has the length
    }
  }

  @Override
  public void headers(int stream, byte[] block, int length, boolean endStream)
      throws Http2Exception {
    fields(block, length);
  }

  @Override
  public void malformedHeaders(byte[] block, int length) throws Http2Exception {
    fields(block, length);
  }

  @Override
  public void pushPromise(int stream, int promised, byte[] block, int length)
      throws Http2Exception {
    key("promised").append(promised);
    fields(block, length);
  }

  private void fields(byte[] block, int length) throws Http2Exception {
    try {
      decoder.decode(block, 0, length, this::field);
    } catch (HpackException e) {
      throw Http2Exception.connection(ErrorCode.COMPRESSION_ERROR, String.valueOf(e.getMessage()));
    }
  }

  private void field(TableEntry entry) {
    if (!hasSpace()) {
      return;
    }
    String name = text(entry.name().bytes());
    if (entry.isSensitive() || isSecret(name)) {
      quoted("secret", name);
    } else {
      quoted("field", name + ": " + text(entry.value()));
    }
  }

  private static String text(byte[] latin) {
    return new String(latin, StandardCharsets.ISO_8859_1);
  }

  private static boolean isSecret(String name) {
    return switch (name) {
      case "authorization", "proxy-authorization", "cookie", "set-cookie" -> true;
      default -> false;
    };
  }

  @Override
  public void reset(int stream, int code) {
    appendCode(code);
  }

  private void appendCode(int code) {
    ErrorCode known = ErrorCode.of(code);
    key("code").append(known.number() == code ? known.name() : "0x" + hex(code));
  }

  @Override
  public void setting(int id, long value) {
    if (hasSpace()) {
      boolean known = id >= 1 && id <= SETTINGS.length;
      key(known ? SETTINGS[id - 1] : "SETTING_0x" + hex(id)).append(value);
    }
  }

  @Override
  public void settingsEnd() {}

  @Override
  public void settingsAck() {}

  @Override
  public void ping(long value) {
    key("data").append("0x").append(HexFormat.of().toHexDigits(value));
  }

  @Override
  public void pingAck(long value) {
    ping(value);
  }

  @Override
  public void goAway(int lastStream, int code, String debug) {
    key("last").append(lastStream);
    appendCode(code);
    quoted("debug", debug);
  }

  @Override
  public void windowUpdate(int stream, int increment) {
    key("increment").append(increment);
  }

  @Override
  public void priorityUpdate(int stream, String value) {
    key("target").append(stream);
    quoted("priority", value);
  }

  @Override
  public void ignored(int type, int length) {}
}
