package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.HeaderField;
import dev.quickwater.http2.FieldName.Pseudo;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Encodes header blocks (RFC 7541 section 3). One encoder serves one direction of a connection.
/// Every encoded block must be sent, and in order, because each block may change the peer's dynamic
/// table.
///
/// - Fields are added to the table. A field whose value usually changes is added only if the same
///   value occurs twice in a row.
/// - Sensitive fields are never indexed, by this encoder or by intermediaries (section 7.1.3).
///   Authorization, Proxy-Authorization and short cookies always count as sensitive.
/// - A string is Huffman-encoded if that is shorter.
/// - If the same [HttpHeaders] object follows itself and the table has not changed, its encoded
///   block is kept and copied from then on. A server with a constant response profits.
final class HpackEncoder {

  private static final int INDEXED = 0x80;
  private static final int INCREMENTAL = 0x40;
  private static final int SIZE_UPDATE = 0x20;
  private static final int NEVER_INDEXED = 0x10;
  private static final int NOT_INDEXED = 0;
  private static final int HUFFMAN = 0x80;

  /// The maximum length of a string that the first byte holds.
  private static final int MAX_SHORT = 126;

  /// Shorter cookies are sensitive: an attacker who sees lengths could guess them one character at
  /// a time (section 7.1.3).
  private static final int MIN_COOKIE = 20;

  /// An entry larger than the table divided by this number is not added, because it would evict too
  /// many others.
  private static final int MAX_PART = 2;

  /// The maximum length of an encoded block that is kept for the next use of the same fields.
  private static final int MAX_KEPT = 128;

  /// Names whose values usually change. The slot of a name is its index in this list.
  private static final HeaderName[] CHANGING = {
    HeaderName.AGE,
    HeaderName.CONTENT_RANGE,
    HeaderName.DATE,
    HeaderName.ETAG,
    HeaderName.IF_MATCH,
    HeaderName.IF_MODIFIED_SINCE,
    HeaderName.IF_NONE_MATCH,
    HeaderName.IF_RANGE,
    HeaderName.IF_UNMODIFIED_SINCE,
    HeaderName.LAST_MODIFIED,
    HeaderName.LOCATION,
    HeaderName.RANGE,
    HeaderName.SET_COOKIE,
    HeaderName.X_REQUEST_ID,
    HeaderName.of("content-length"),
  };

  private static final int PATH_SLOT = CHANGING.length;

  /// By number of a registered name: flags, and for [#CHANGES] the slot in the high half.
  private static final int[] TRAITS = new int[HeaderName.registeredCount(EngineAccess.GRANTED)];

  private static final int CHANGES = 1;
  private static final int SECRET = 2;
  private static final int SECRET_IF_SHORT = 4;
  private static final int SLOT_SHIFT = 16;

  /// By number of a pseudo-header name: its first static index, or 0.
  private static final int[] STATIC_PSEUDO = new int[Pseudo.COUNT];

  private static final int[] PSEUDO_HASH = new int[Pseudo.COUNT];

  static {
    for (Pseudo name : Pseudo.values()) {
      PSEUDO_HASH[name.number()] = Arrays.hashCode(FieldName.of(name).bytes());
    }
    for (int i = StaticTable.SIZE; i > 0; i--) {
      FieldName name = StaticTable.get(i).name();
      if (name.pseudo() != null) {
        STATIC_PSEUDO[name.pseudo().number()] = i;
      }
    }
    for (int slot = 0; slot < CHANGING.length; slot++) {
      TRAITS[CHANGING[slot].number(EngineAccess.GRANTED)] |= CHANGES | slot << SLOT_SHIFT;
    }
    TRAITS[HeaderName.AUTHORIZATION.number(EngineAccess.GRANTED)] |= SECRET;
    TRAITS[HeaderName.PROXY_AUTHORIZATION.number(EngineAccess.GRANTED)] |= SECRET;
    TRAITS[HeaderName.COOKIE.number(EngineAccess.GRANTED)] |= SECRET_IF_SHORT;
  }

  private static final byte[] NOTHING = {};
  private static final int[] NO_HASHES = {};

  private final EncoderTable table;
  private final int huffmanThreshold;

  /// By slot: the hash of the previous field of the name.
  private int[] previous = NO_HASHES;

  /// The smallest table size since the last block; -1 if the size has not changed.
  private int leastSize = -1;

  /// The fields of the last call of [#fields].
  private @Nullable HttpHeaders last;

  /// The encoded form of [#last], valid while [EncoderTable#inserted] equals [#keptAt].
  private byte[] kept = NOTHING;

  private int keptLength;
  private int keptAt;

  /// An encoder with a table of at most `tableSize` bytes.
  HpackEncoder(int tableSize) {
    this(tableSize, 0);
  }

  /// An encoder that sends short strings without Huffman coding.
  ///
  /// @param huffmanThreshold strings shorter than this are sent without Huffman coding
  HpackEncoder(int tableSize, int huffmanThreshold) {
    table = new EncoderTable(tableSize);
    this.huffmanThreshold = huffmanThreshold;
  }

  /// Changes the size of the table, which the next block announces (section 4.2).
  ///
  /// @param tableSize at most the peer's SETTINGS_HEADER_TABLE_SIZE
  void resize(int tableSize) {
    if (tableSize != table.maxSize() || leastSize >= 0) {
      leastSize = leastSize < 0 ? tableSize : Math.min(leastSize, tableSize);
      table.setMaxSize(tableSize);
      last = null;
      keptLength = 0;
    }
  }

  /// The bytes of the table, counted as in [TableEntry#size].
  int tableSize() {
    return table.size();
  }

  /// Releases the memory that makes repeated blocks cheap. The table stays.
  void trim() {
    last = null;
    kept = NOTHING;
    keptLength = 0;
    previous = NO_HASHES;
  }

  /// Begins a block; must be called first for every block. Writes pending table size updates.
  void begin(ByteBuf out) {
    if (leastSize >= 0) {
      if (leastSize < table.maxSize()) {
        integer(out, SIZE_UPDATE, 5, leastSize);
      }
      integer(out, SIZE_UPDATE, 5, table.maxSize());
      leastSize = -1;
    }
  }

  /// Writes a field of the static table.
  void known(ByteBuf out, int index) {
    out.writeByte(INDEXED | index);
  }

  /// Writes a pseudo-header field.
  void pseudo(ByteBuf out, Pseudo name, byte[] value) {
    int first = STATIC_PSEUDO[name.number()];
    FieldName known = FieldName.of(name);
    if (first > 0) {
      int i = first;
      do {
        TableEntry entry = StaticTable.get(i);
        if (entry.name() != known) {
          break;
        }
        if (entry.value().length > 0 && Arrays.equals(entry.value(), value)) {
          out.writeByte(INDEXED | i);
          return;
        }
      } while (++i <= StaticTable.SIZE);
    }
    int nameHash = PSEUDO_HASH[name.number()];
    int hash = EncoderTable.hash(nameHash, Arrays.hashCode(value));
    boolean index = name != Pseudo.PATH || recurs(PATH_SLOT, hash);
    EncoderTable.@Nullable Entry _ =
        write(out, known.bytes(), nameHash, first, value, hash, index, null);
  }

  /// Writes the fields of a message.
  void fields(ByteBuf out, HttpHeaders headers) {
    boolean repeated = headers == last;
    if (repeated && keptLength > 0 && keptAt == table.inserted()) {
      out.writeBytes(kept, 0, keptLength);
      return;
    }
    last = headers;
    keptLength = 0;
    int start = out.writerIndex();
    int inserted = table.inserted();
    int size = headers.size();
    EncoderTable.@Nullable Entry before = null; // a local: storing references in fields is slow
    for (int i = 0; i < size; i++) {
      before = field(out, headers.field(EngineAccess.GRANTED, i), before);
    }
    if (repeated && inserted == table.inserted()) {
      keep(out, start);
    }
  }

  private void keep(ByteBuf out, int start) {
    int length = out.writerIndex() - start;
    if (length > MAX_KEPT) {
      return;
    }
    if (kept.length < length) {
      kept = new byte[length];
    }
    out.copyToArray(start, kept, 0, length);
    keptLength = length;
    keptAt = table.inserted();
  }

  /// Writes one field.
  void field(ByteBuf out, HeaderField field) {
    EncoderTable.@Nullable Entry _ = field(out, field, null);
  }

  /// Writes one field of a message.
  ///
  /// @param before the table entry of an earlier field, or null
  /// @return the value of `before` for the next field: the table entry of this field, or `before`
  ///   if this field has none, or null if the table has changed
  private EncoderTable.@Nullable Entry field(
      ByteBuf out, HeaderField field, EncoderTable.@Nullable Entry before) {
    HeaderName name = field.name();
    byte[] value = field.value();
    int number = name.number(EngineAccess.GRANTED);
    int traits = number < 0 ? 0 : TRAITS[number];
    int known = StaticTable.indexOf(name, value);
    byte[] bytes = name.bytes(EngineAccess.GRANTED);
    int nameHash = name.hashCode();
    if (field.isSensitive() || isSecret(traits, value)) {
      literal(out, NEVER_INDEXED, 4, nameIndex(bytes, nameHash, Math.abs(known)), bytes, value);
      return before;
    }
    if (known > 0) {
      out.writeByte(INDEXED | known);
      return before;
    }
    int hash = EncoderTable.hash(nameHash, field.valueHash());
    boolean index = (traits & CHANGES) == 0 || recurs(traits >>> SLOT_SHIFT, hash);
    return write(out, bytes, nameHash, -known, value, hash, index, before);
  }

  /// Writes a field as it is, without an index and without a check.
  void unchecked(ByteBuf out, byte[] name, byte[] value) {
    literal(out, NOT_INDEXED, 4, 0, name, value);
  }

  private static boolean isSecret(int traits, byte[] value) {
    return (traits & (SECRET | SECRET_IF_SHORT)) != 0
        && ((traits & SECRET) != 0 || value.length < MIN_COOKIE);
  }

  private boolean recurs(int slot, int hash) {
    if (previous.length == 0) {
      previous = new int[PATH_SLOT + 1];
    }
    boolean same = previous[slot] == hash;
    previous[slot] = hash;
    return same;
  }

  private EncoderTable.@Nullable Entry write(
      ByteBuf out,
      byte[] name,
      int nameHash,
      int known,
      byte[] value,
      int hash,
      boolean index,
      EncoderTable.@Nullable Entry before) {
    EncoderTable.@Nullable Entry found = table.find(name, value, hash, before);
    if (found != null) {
      integer(out, INDEXED, 7, StaticTable.SIZE + 1 + table.index(found));
      return found;
    }
    int size = name.length + value.length + TableEntry.OVERHEAD;
    int nameIndex = nameIndex(name, nameHash, known);
    if (index && size <= table.maxSize() / MAX_PART) {
      literal(out, INCREMENTAL, 6, nameIndex, name, value);
      table.add(name, value, nameHash, hash);
      return null; // the addition may have evicted the entry of the earlier field
    }
    literal(out, NOT_INDEXED, 4, nameIndex, name, value);
    return before;
  }

  private int nameIndex(byte[] name, int nameHash, int known) {
    if (known > 0) {
      return known;
    }
    int found = table.findName(name, nameHash);
    return found < 0 ? 0 : StaticTable.SIZE + 1 + found;
  }

  private void literal(ByteBuf out, int kind, int bits, int nameIndex, byte[] name, byte[] value) {
    integer(out, kind, bits, nameIndex);
    if (nameIndex == 0) {
      string(out, name);
    }
    string(out, value);
  }

  private void string(ByteBuf out, byte[] text) {
    int length = text.length;
    if (length >= huffmanThreshold) {
      if (length <= MAX_SHORT) {
        shortString(out, text);
        return;
      }
      int encoded = Huffman.encodedLength(text, 0, length);
      if (encoded < length) {
        integer(out, HUFFMAN, 7, encoded);
        Huffman.encode(text, 0, length, out);
        return;
      }
    }
    integer(out, 0, 7, length);
    out.writeBytes(text);
  }

  /// Writes the Huffman form, and replaces it by the plain form if that is not longer.
  private static void shortString(ByteBuf out, byte[] text) {
    int start = out.writerIndex();
    out.writeByte(0);
    Huffman.encode(text, 0, text.length, out);
    int encoded = out.writerIndex() - start - 1;
    if (encoded < text.length) {
      out.setByte(start, HUFFMAN | encoded);
    } else {
      out.writerIndex(start);
      out.writeByte(text.length);
      out.writeBytes(text);
    }
  }

  /// Writes an integer after the high bits of its first byte (section 5.1).
  private static void integer(ByteBuf out, int high, int bits, int value) {
    int max = (1 << bits) - 1;
    if (value < max) {
      out.writeByte(high | value);
      return;
    }
    out.writeByte(high | max);
    int rest = value - max;
    while (rest >= 0x80) {
      out.writeByte(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }
}
