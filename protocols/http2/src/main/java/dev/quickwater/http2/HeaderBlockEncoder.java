package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http2.FieldName.Pseudo;
import dev.quickwater.util.setting.SettingCheck;
import java.nio.charset.StandardCharsets;

/// Encodes header blocks (HPACK, RFC 7541 section 3), for proxies and test tools.
///
/// ```java
/// encoder.begin(block);
/// encoder.pseudo(block, ":status", "200");
/// encoder.fields(block, headers);
/// FrameWriter.headers(out, stream, block, Frames.MIN_MAX_SIZE, false);
/// ```
///
/// - **One direction** of a connection has one encoder. Every block must be sent, in the order of
///   encoding, because each block may change the peer's table.
/// - **Compression:** fields are added to the dynamic table. A field whose value usually changes is
///   added only if the same value occurs twice in a row. Authorization, Proxy-Authorization, short
///   cookies and fields of [HttpHeaders.Builder#addSensitive] are never indexed (section 7.1.3).
/// - **Thread:** one at a time. The encoder keeps no buffer.
public final class HeaderBlockEncoder {

  /// The size of a table before settings arrive (RFC 9113 section 6.5.2).
  private static final int INITIAL = 4096;

  private final HpackEncoder encoder = new HpackEncoder(INITIAL);

  /// An encoder with a dynamic table of 4,096 bytes, the size before settings arrive.
  public HeaderBlockEncoder() {}

  /// Changes the size of the dynamic table, which the next block announces (RFC 7541 section 4.2).
  ///
  /// @param tableSize bytes, 0 to 2^16, at most the peer's SETTINGS_HEADER_TABLE_SIZE. After the
  ///   peer reduced this setting, this method must be called before the next block
  public void resize(int tableSize) {
    SettingCheck.require(
        tableSize >= 0 && tableSize <= 1 << 16, "tableSize", tableSize, "0 to 65536");
    encoder.resize(tableSize);
  }

  /// Begins a block at the end of `out`. The other methods append the fields to the same buffer.
  public void begin(ByteBuf out) {
    encoder.begin(out);
  }

  /// Writes a pseudo-header field. Pseudo-header fields precede all other fields (RFC 9113 section
  /// 8.3).
  ///
  /// @param name one of `:authority`, `:method`, `:path`, `:scheme`, `:status`, `:protocol`
  /// @param value Latin-1 characters
  /// @throws IllegalArgumentException for another name
  public void pseudo(ByteBuf out, String name, String value) {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    Pseudo known = FieldName.of(bytes, 0, bytes.length).pseudo();
    if (known == null) {
      throw new IllegalArgumentException(name + " is not a pseudo-header field");
    }
    encoder.pseudo(out, known, value.getBytes(StandardCharsets.ISO_8859_1));
  }

  /// Writes fields in their order.
  public void fields(ByteBuf out, HttpHeaders headers) {
    encoder.fields(out, headers);
  }

  /// Writes a field without checks and without the tables: a test tool can write invalid names and
  /// values.
  ///
  /// @param name Latin-1 characters
  /// @param value Latin-1 characters
  public void unchecked(ByteBuf out, String name, String value) {
    encoder.unchecked(
        out,
        name.getBytes(StandardCharsets.ISO_8859_1),
        value.getBytes(StandardCharsets.ISO_8859_1));
  }
}
