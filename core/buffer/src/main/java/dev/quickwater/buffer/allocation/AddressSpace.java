package dev.quickwater.buffer.allocation;

import dev.quickwater.system.Pages;

/// Address space for native memory, mapped once and **never unmapped**.
///
/// - At least as much address space as the longest buffer is mapped behind every address. A thread
///   that races the growth of a buffer may combine the length of one block with the address of
///   another; it gets wrong bytes but does not fault. Where the system limits the address space of
///   the process, ranges are mapped one by one without this guarantee.
/// - Mappings request small pages. With huge pages, touching one unit would make 2 MiB resident,
///   and the metrics would not match the resident memory that the system reports.
final class AddressSpace implements PageSystem {

  /// The bytes of address space that are mapped at a time. The system allocates memory only for
  /// pages that are touched.
  private static final long CHUNK = 4L << 30;

  private static final long GUARD = SizeClasses.LARGEST;

  static final AddressSpace IT = new AddressSpace();

  private long next;
  private long left;

  private AddressSpace() {}

  @Override
  public synchronized long map(long length) {
    if (left < length && !refill(length)) {
      long address = Pages.map(length);
      Pages.preferSmallPages(address, length);
      return address;
    }
    long address = next;
    next += length;
    left -= length;
    return address;
  }

  private boolean refill(long length) {
    long size = Math.max(CHUNK, length);
    try {
      long address = Pages.mapSparse(size + GUARD);
      Pages.preferSmallPages(address, size);
      next = address;
      left = size;
      return true;
    } catch (OutOfMemoryError e) {
      System.getLogger(AddressSpace.class.getName())
          .log(System.Logger.Level.DEBUG, "address space is limited", e);
      return false;
    }
  }

  @Override
  public void discard(long address, long length) {
    Pages.discard(address, length);
  }
}
