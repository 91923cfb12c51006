package dev.quickwater.buffer;

import dev.quickwater.system.Pages;

/// Address space for native memory, mapped once and **never unmapped**.
///
/// Behind every address there is as much mapped as a buffer can be long. So a thread that races the
/// growth of a buffer, and pairs the length of one block with the address of another, gets wrong
/// bytes but does not fault. Where the process may not have so much address space, ranges are
/// mapped one by one without that.
final class AddressSpace {

  /// Taken at a time; the system gives memory only to what is touched.
  private static final long CHUNK = 4L << 30;

  private static final long GUARD = SizeClasses.LARGEST;

  private static final System.Logger LOG = System.getLogger(AddressSpace.class.getName());

  static final AddressSpace IT = new AddressSpace();

  private long next;
  private long left;

  private AddressSpace() {}

  /// A range of `length` bytes, a multiple of the system's pages, that nobody else has.
  ///
  /// @throws OutOfMemoryError if the system refuses
  synchronized long take(long length) {
    if (left < length && !refill(length)) {
      return Pages.map(length);
    }
    long address = next;
    next += length;
    left -= length;
    return address;
  }

  private boolean refill(long length) {
    long size = Math.max(CHUNK, length);
    try {
      next = Pages.mapSparse(size + GUARD);
      left = size;
      return true;
    } catch (OutOfMemoryError e) {
      LOG.log(System.Logger.Level.DEBUG, "address space is limited", e);
      return false;
    }
  }
}
