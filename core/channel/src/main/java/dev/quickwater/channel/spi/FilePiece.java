package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import java.io.EOFException;
import java.io.IOException;

/// Reads files for transports that cannot pass them to the kernel.
public final class FilePiece {

  private FilePiece() {}

  /// Reads the start of a region into a new buffer, which the caller owns. The position of the
  /// region does not change.
  ///
  /// @param max maximum size of the buffer
  /// @throws IOException if the file cannot be read, or has become shorter than the region
  public static ByteBuf read(FileRegion region, ByteBufAllocator allocator, int max)
      throws IOException {
    int length = (int) Math.min(region.size(), max);
    ByteBuf piece = allocator.allocate(length);
    try {
      if (region.source().read(region.position(), piece, length) < 0) {
        throw shrunk(region);
      }
      return piece;
    } catch (IOException | RuntimeException | Error e) {
      piece.release();
      throw e;
    }
  }

  /// The failure of a file that ends before its region does.
  public static EOFException shrunk(FileRegion region) {
    return new EOFException(
        "the file ends at or before " + region.position() + ", " + region.size() + " bytes short");
  }
}
