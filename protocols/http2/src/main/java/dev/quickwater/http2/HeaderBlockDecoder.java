package dev.quickwater.http2;

import dev.quickwater.util.setting.SettingCheck;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes header blocks (HPACK, RFC 7541 section 3), for proxies and test tools.
///
/// - **One direction** of a connection has one decoder. It must decode every block in order,
///   including those of refused streams, because each block may change the table.
/// - **Bounded:** the table has at most the allowed bytes, and the work is linear in the block. A
///   block of n bytes makes at most n fields, each of which may be as large as an entry of the
///   table. A receiver that keeps fields should limit the sum of their [Field#size].
/// - **Thread:** one at a time.
public final class HeaderBlockDecoder {

  /// The size of a table before settings are acknowledged (RFC 9113 section 6.5.2).
  private static final int INITIAL = 4096;

  private final HpackDecoder decoder = new HpackDecoder(INITIAL);

  /// A decoder with a dynamic table of 4,096 bytes, the size before settings are acknowledged.
  public HeaderBlockDecoder() {}

  /// Permits another size of the table, after the peer has acknowledged our
  /// SETTINGS_HEADER_TABLE_SIZE. If the size is smaller than the table, the next block must reduce
  /// the table (RFC 7541 section 4.2).
  ///
  /// @param tableSize bytes, 0 to 2^16
  public void allow(int tableSize) {
    SettingCheck.require(
        tableSize >= 0 && tableSize <= 1 << 16, "tableSize", tableSize, "0 to 65536");
    decoder.allow(tableSize);
  }

  /// Decodes a whole block, as [FrameHandler#headers] receives it.
  ///
  /// @param block the block in its first `length` bytes; not changed, and not used after the call
  /// @param fields receives the fields in order, during the call. If it throws, the decoder must
  ///   not be used again
  /// @throws Http2Exception with COMPRESSION_ERROR if the block is malformed (RFC 9113 section
  ///   4.3); the decoder must not be used again
  public void decode(byte[] block, int length, Consumer<? super Field> fields)
      throws Http2Exception {
    try {
      decoder.decode(block, 0, length, entry -> fields.accept(new Field(entry)));
    } catch (HpackException e) {
      throw Http2Exception.connection(ErrorCode.COMPRESSION_ERROR, String.valueOf(e.getMessage()));
    }
  }

  /// A decoded field; immutable.
  public static final class Field {

    private final TableEntry entry;

    private Field(TableEntry entry) {
      this.entry = entry;
    }

    /// The name; that of a pseudo-header field begins with a colon. Latin-1 characters, which may
    /// include any character if there is a [#fault].
    public String name() {
      return new String(entry.name().bytes(), StandardCharsets.ISO_8859_1);
    }

    /// The value without white space around it. Latin-1 characters, which may include any character
    /// if there is a [#fault].
    public String value() {
      return new String(entry.value(), StandardCharsets.ISO_8859_1);
    }

    /// True if the sender requires that no table and no log keeps the value (RFC 7541 section
    /// 7.1.3).
    public boolean isSensitive() {
      return entry.isSensitive();
    }

    /// The number of bytes of the name and the value as received, plus 32 (RFC 9113 section 6.5.2).
    public int size() {
      return entry.size();
    }

    /// Why a message with this field is malformed (RFC 9113 section 8.2); null if the field is
    /// valid by itself.
    public @Nullable String fault() {
      return entry.fault();
    }

    @Override
    public String toString() {
      return isSensitive() ? name() : name() + ": " + value();
    }
  }
}
