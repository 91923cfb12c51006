package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// Decodes content of the codings gzip (RFC 1952) and deflate, which is the zlib format (RFC 9110
/// section 8.4.1.2). Sans I/O.
///
/// - **Strict:** checksums and lengths are verified. Deflate without the zlib format, a reserved
///   flag, a dictionary, and bytes after the end are errors. Empty input is empty content. gzip
///   content may have several members (RFC 1952 section 2.2).
/// - **Bounded:** the memory is constant, and the work is linear in the sum of compressed and
///   decoded bytes. Content that expands beyond the ratio is an error.
///
/// ```
/// gzip: HEAD -> EXTRA_LENGTH -> EXTRA -> NAME -> COMMENT -> HEAD_SUM -> DATA -> TRAILER -> HEAD
/// deflate: DATA -> END
/// ```
final class ContentDecoder implements AutoCloseable {

  /// The ratio is enforced above this number of decoded bytes: short text may be repetitive.
  static final int RATIO_FROM = 1 << 20;

  private static final int CHUNK = 4 << 10;

  private static final int FIXED_HEAD = 10;
  private static final int TRAILER_LENGTH = 8;

  // The flags of RFC 1952 section 2.3.1; FTEXT (1) has no effect.
  private static final int HAS_HEAD_SUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private enum Phase {
    HEAD,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEAD_SUM,
    DATA,
    TRAILER,
    END
  }

  private final ContentCoding coding;
  private final int maxRatio;
  private final Inflater inflater;

  /// The checksum of the head of a gzip member, then that of its content.
  private final CRC32 sum = new CRC32();

  private final byte[] chunk = new byte[CHUNK];
  private Phase phase;
  private int flags;

  /// The number of bytes read in the current phase; in [Phase#EXTRA], of those still to read.
  private int count;

  /// The bytes of the current phase as a little-endian number.
  private long number;

  /// Compressed bytes, except those of the current member, which the inflater counts.
  private long coded;

  private long decoded;

  /// True if the inflater may have more output without further input.
  private boolean isPending;

  /// The failure of the next call. Bytes that were decoded in front of the error are returned
  /// first.
  private @Nullable ZipException broken;

  /// @param coding gzip or deflate
  /// @param maxRatio see [Decompression#maxRatio]
  ContentDecoder(ContentCoding coding, int maxRatio) {
    boolean gzip = coding == ContentCoding.GZIP;
    this.coding = coding;
    this.maxRatio = maxRatio;
    this.inflater = new Inflater(gzip);
    this.phase = gzip ? Phase.HEAD : Phase.DATA;
  }

  /// Decodes bytes of `in`. The caller must pass the same buffer until the result is 0, which means
  /// that all its bytes were consumed.
  ///
  /// @return the number of bytes written to the start of `out`
  /// @throws ZipException if the content is broken or expands too much
  int decode(ByteBuf in, byte[] out) throws ZipException {
    if (broken != null) {
      throw broken;
    }
    while (true) {
      if (phase == Phase.DATA) {
        int length = inflate(in, out);
        if (length > 0 || phase == Phase.DATA) {
          return length;
        }
      } else if (!in.isReadable()) {
        return 0;
      } else {
        coded++;
        frame(in.readByte() & 0xff);
      }
    }
  }

  /// True if the content may end here.
  boolean isComplete() {
    return phase == Phase.END
        || phase == Phase.HEAD && count == 0
        || phase == Phase.DATA && coding == ContentCoding.DEFLATE && coded() == 0;
  }

  /// The failure if the content ends here.
  ZipException incomplete() {
    return new ZipException("the " + coding.token() + " content is incomplete");
  }

  @Override
  public void close() {
    inflater.end();
  }

  // ---- the compressed bytes ----

  private int inflate(ByteBuf in, byte[] out) throws ZipException {
    while (true) {
      int length = isPending || !inflater.needsInput() ? inflateOnce(out) : 0;
      isPending = length == out.length;
      if (length > 0) {
        return length;
      }
      if (inflater.finished()) {
        in.readerIndex(in.readerIndex() - inflater.getRemaining());
        coded += inflater.getBytesRead();
        phase = coding == ContentCoding.GZIP ? Phase.TRAILER : Phase.END;
        return 0;
      }
      if (inflater.needsDictionary()) {
        throw broken("it needs a dictionary");
      }
      int more = Math.min(in.readableBytes(), CHUNK);
      if (more == 0) {
        return 0;
      }
      in.readBytes(chunk, 0, more);
      inflater.setInput(chunk, 0, more);
    }
  }

  private int inflateOnce(byte[] out) throws ZipException {
    long before = inflater.getBytesWritten();
    int length;
    try {
      length = inflater.inflate(out);
    } catch (DataFormatException e) {
      ZipException failure = broken(String.valueOf(e.getMessage()));
      length = (int) (inflater.getBytesWritten() - before);
      if (length == 0) {
        throw failure;
      }
      broken = failure;
    }
    if (coding == ContentCoding.GZIP) {
      sum.update(out, 0, length);
    }
    decoded += length;
    if (decoded > RATIO_FROM && decoded / maxRatio > coded()) {
      throw new ZipException(
          "the content expands to more than " + maxRatio + " times its compressed size");
    }
    return length;
  }

  private long coded() {
    return coded + (phase == Phase.DATA ? inflater.getBytesRead() : 0);
  }

  // ---- the header and the trailer ----

  private void frame(int b) throws ZipException {
    switch (phase) {
      case HEAD -> head(b);
      case EXTRA_LENGTH -> {
        sum.update(b);
        add(b);
        if (count == 2) {
          phase = Phase.EXTRA;
          count = (int) number;
          if (count == 0) {
            afterExtra();
          }
        }
      }
      case EXTRA -> {
        sum.update(b);
        if (--count == 0) {
          afterExtra();
        }
      }
      case NAME -> {
        sum.update(b);
        if (b == 0) {
          afterName();
        }
      }
      case COMMENT -> {
        sum.update(b);
        if (b == 0) {
          afterComment();
        }
      }
      case HEAD_SUM -> {
        add(b);
        if (count == 2) {
          if (number != (sum.getValue() & 0xffff)) {
            throw broken("the sum of its head is wrong");
          }
          beginData();
        }
      }
      case TRAILER -> {
        add(b);
        if (count == TRAILER_LENGTH) {
          endMember();
        }
      }
      case END -> throw broken("bytes follow its end");
      case DATA -> throw new IllegalStateException("a byte of the data");
    }
  }

  private void add(int b) {
    number |= (long) b << (8 * count++);
  }

  private void next(Phase following) {
    phase = following;
    count = 0;
    number = 0;
  }

  private void head(int b) throws ZipException {
    sum.update(b);
    switch (count++) {
      case 0 -> require(b == 0x1f, "it has no gzip header");
      case 1 -> require(b == 0x8b, "it has no gzip header");
      case 2 -> require(b == 8, "its method is not deflate");
      case 3 -> {
        require((b & RESERVED) == 0, "a reserved flag is set");
        flags = b;
      }
      default -> {
        if (count == FIXED_HEAD) {
          if ((flags & HAS_EXTRA) != 0) {
            next(Phase.EXTRA_LENGTH);
          } else {
            afterExtra();
          }
        }
      }
    }
  }

  private void require(boolean condition, String otherwise) throws ZipException {
    if (!condition) {
      throw broken(otherwise);
    }
  }

  private void afterExtra() {
    if ((flags & HAS_NAME) != 0) {
      next(Phase.NAME);
    } else {
      afterName();
    }
  }

  private void afterName() {
    if ((flags & HAS_COMMENT) != 0) {
      next(Phase.COMMENT);
    } else {
      afterComment();
    }
  }

  private void afterComment() {
    if ((flags & HAS_HEAD_SUM) != 0) {
      next(Phase.HEAD_SUM);
    } else {
      beginData();
    }
  }

  private void beginData() {
    next(Phase.DATA);
    sum.reset();
    inflater.reset();
  }

  private void endMember() throws ZipException {
    require((number & 0xffff_ffffL) == sum.getValue(), "the sum of its content is wrong");
    long length = inflater.getBytesWritten() & 0xffff_ffffL;
    require(number >>> 32 == length, "the length of its content is wrong");
    next(Phase.HEAD);
    sum.reset();
  }

  private ZipException broken(String why) {
    return new ZipException("the " + coding.token() + " content is broken: " + why);
  }
}
