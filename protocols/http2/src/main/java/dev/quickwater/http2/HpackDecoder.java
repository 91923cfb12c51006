package dev.quickwater.http2;

import java.util.Arrays;

/// Decodes header blocks (RFC 7541 section 3). One decoder serves one direction of a connection and
/// must decode every block in order, because each block may change the dynamic table.
///
/// - **Whole blocks:** the caller collects the fragments of a block and limits their size.
/// - **Bounded:** a string is never longer than the rest of its block; Huffman decoding makes it at
///   most 8/5 as long. Indexed fields share entries: a block of n bytes makes at most n references.
/// - **Compression faults** throw [HpackException]; the connection cannot continue. **Faults of
///   fields** are in [TableEntry#fault], because blocks of malformed messages must be decoded, too.
final class HpackDecoder {

  private static final int INDEXED = 0x80;
  private static final int INCREMENTAL = 0x40;
  private static final int SIZE_UPDATE = 0x20;
  private static final int NEVER_INDEXED = 0x10;

  /// The index bits of an indexed field. If all are set, further bytes follow.
  private static final int MAX_SHORT = 0x7f;

  /// Longer integers cannot be lengths or indices of a block that fits into memory.
  private static final int MAX_SHIFT = 28;

  private static final byte[] NOTHING = {};

  /// The maximum length of a block that is kept for [#repeats].
  private static final int MAX_KEPT = 128;

  /// A larger scratch array is dropped after its block.
  private static final int MAX_SCRATCH = 512;

  private final DynamicTable table;

  /// The table size that our settings allow.
  private int allowedSize;

  /// True if our settings reduced the size: the next block must begin with a size update (section
  /// 4.2).
  private boolean mustReduce;

  private byte[] block = NOTHING;
  private int at;
  private int end;
  private byte[] decoded = NOTHING;

  /// True if the current block has changed the table.
  private boolean changed;

  /// The previous block, if it did not change the table.
  private byte[] kept = NOTHING;

  private int keptLength;

  /// A decoder with a table of at most `tableSize` bytes.
  HpackDecoder(int tableSize) {
    table = new DynamicTable(tableSize);
    allowedSize = tableSize;
  }

  /// The peer has acknowledged our SETTINGS_HEADER_TABLE_SIZE.
  void allow(int tableSize) {
    allowedSize = tableSize;
    mustReduce = table.maxSize() > tableSize;
  }

  /// Releases what makes a repeated block cheap. The table stays.
  void trim() {
    kept = NOTHING;
    keptLength = 0;
    decoded = NOTHING;
  }

  /// The bytes of the table, counted as in [TableEntry#size].
  int tableSize() {
    return table.size();
  }

  /// True if `bytes[from, to)` decodes to the same fields as the previous block and leaves the
  /// table unchanged. The caller can then reuse its results instead of decoding the block.
  boolean repeats(byte[] bytes, int from, int to) {
    return keptLength > 0
        && keptLength == to - from
        && !mustReduce
        && Arrays.equals(kept, 0, keptLength, bytes, from, to);
  }

  private void keep(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length > MAX_KEPT) {
      return;
    }
    if (kept.length < length) {
      kept = new byte[length];
    }
    System.arraycopy(bytes, from, kept, 0, length);
    keptLength = length;
  }

  /// Decodes `bytes[from, to)`, a whole header block.
  ///
  /// @throws Http2Exception from the sink; the decoder must not be used again
  void decode(byte[] bytes, int from, int to, FieldSink sink)
      throws HpackException, Http2Exception {
    block = bytes;
    at = from;
    end = to;
    keptLength = 0;
    changed = false;
    if (mustReduce || from < to && (bytes[from] & 0xe0) == SIZE_UPDATE) {
      updateSize();
    }
    int next = at;
    while (next < to) {
      int first = bytes[next++];
      if (first < 0 && first != -1) {
        sink.field(entry(first - INDEXED & MAX_SHORT));
      } else {
        at = next;
        sink.field(field(first & 0xff));
        next = at;
      }
    }
    if (!changed) {
      keep(bytes, from, to);
    }
    if (decoded.length > MAX_SCRATCH) {
      decoded = NOTHING;
    }
    block = NOTHING;
    text = NOTHING;
  }

  /// Reads a field of more than one byte, of which the first byte was read.
  private TableEntry field(int first) throws HpackException {
    if (first >= INDEXED) {
      return entry(integer(first, 7));
    }
    if (first >= INCREMENTAL) {
      TableEntry entry = literal(integer(first, 6), false);
      table.add(entry);
      changed = true;
      return entry;
    }
    if (first >= SIZE_UPDATE) {
      throw new HpackException("a table size update is not at the start of a header block");
    }
    return literal(integer(first, 4), first >= NEVER_INDEXED);
  }

  /// Reads table size updates. At most two are allowed (section 4.2).
  private void updateSize() throws HpackException {
    for (int updates = 0; at < end && (block[at] & 0xe0) == SIZE_UPDATE; updates++) {
      int size = integer(block[at++], 5);
      if (size > allowedSize) {
        throw new HpackException("the table size " + size + " is above the setting " + allowedSize);
      }
      if (updates == 2) {
        throw new HpackException("a header block has more than two table size updates");
      }
      table.setMaxSize(size);
      changed = true;
      mustReduce = false;
    }
    if (mustReduce) {
      throw new HpackException("a header block does not reduce the table to " + allowedSize);
    }
  }

  private TableEntry entry(int index) throws HpackException {
    if (index == 0 || index > StaticTable.SIZE + table.count()) {
      throw new HpackException("no table has index " + index);
    }
    return index <= StaticTable.SIZE
        ? StaticTable.get(index)
        : table.get(index - StaticTable.SIZE - 1);
  }

  private TableEntry literal(int nameIndex, boolean sensitive) throws HpackException {
    FieldName name = nameIndex > 0 ? entry(nameIndex).name() : literalName();
    int length = string();
    return TableEntry.of(name, text, start, length, sensitive);
  }

  private FieldName literalName() throws HpackException {
    int length = string();
    return FieldName.of(text, start, length);
  }

  // The result of the last call of #string.
  private byte[] text = NOTHING;
  private int start;

  /// Reads a string (section 5.2). Until the next call it is in [#text], from [#start] on.
  ///
  /// @return its length
  private int string() throws HpackException {
    if (at == end) {
      throw truncated();
    }
    boolean huffman = block[at] < 0;
    int length = integer(block[at++], 7);
    if (length > end - at) {
      throw truncated();
    }
    int from = at;
    at += length;
    if (!huffman) {
      text = block;
      start = from;
      return length;
    }
    int room = Huffman.maxDecoded(length);
    if (decoded.length < room) {
      decoded = new byte[Math.max(room, 256)];
    }
    text = decoded;
    start = 0;
    int count = Huffman.decode(block, from, at, decoded);
    if (count < 0) {
      throw new HpackException("a Huffman string is malformed (RFC 7541 section 5.2)");
    }
    return count;
  }

  /// Reads an integer (section 5.1) whose first byte, with a prefix of `bits` bits, was read.
  private int integer(int first, int bits) throws HpackException {
    int max = (1 << bits) - 1;
    int value = first & max;
    return value < max ? value : longInteger(max);
  }

  private int longInteger(int max) throws HpackException {
    int value = max;
    for (int shift = 0; at < end; shift += 7) {
      int b = block[at++];
      if (shift == MAX_SHIFT && (b & 0x7f) > 7 || shift > MAX_SHIFT) {
        throw new HpackException("an integer is above 2^31-1");
      }
      value += (b & 0x7f) << shift;
      if (value < 0) {
        throw new HpackException("an integer is above 2^31-1");
      }
      if (b >= 0) {
        return value;
      }
    }
    throw truncated();
  }

  private static HpackException truncated() {
    return new HpackException("a header block ends inside a field");
  }
}
