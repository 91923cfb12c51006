package dev.quickwater.proxy;

import dev.quickwater.buffer.ByteBuf;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Reads the header at the beginning of a connection, without I/O.
///
/// - **Version 1:** a line of at most 107 ASCII bytes that ends with CR LF. CR, LF and NUL do not
///   occur before its end.
/// - **Version 2:** at most 4,096 bytes. The length is checked before the bytes arrive. Fields can
///   be nested once.
/// - **Strict:** anything else is an error as soon as its first wrong byte arrives. A connection
///   without a header is never mistaken for one with a header.
public final class ProxyHeaderReader {

  /// The first bytes of version 2.
  static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");

  private static final byte[] LINE = {'P', 'R', 'O', 'X', 'Y', ' '};

  private ProxyHeaderReader() {}

  /// Reads a header.
  ///
  /// @param in all bytes of the connection so far. The reader index advances behind the header if
  ///   it is complete, and does not change otherwise
  /// @return null if more bytes are needed
  /// @throws ProxyProtocolException if the bytes are not a valid header
  public static @Nullable ProxyHeader read(ByteBuf in) throws ProxyProtocolException {
    if (!in.isReadable()) {
      return null;
    }
    boolean line = in.getByte(in.readerIndex()) == LINE[0];
    byte[] begin = line ? LINE : SIGNATURE;
    int length = Math.min(begin.length, in.readableBytes());
    for (int i = 0; i < length; i++) {
      if (in.getByte(in.readerIndex() + i) != begin[i]) {
        throw new ProxyProtocolException(
            "the connection does not begin with a header of the PROXY protocol");
      }
    }
    if (length < begin.length) {
      return null;
    }
    return line ? Version1Reader.read(in) : Version2Reader.read(in);
  }
}
