package dev.quickwater.buffer.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Native memory over a scripted kernel. Like the real kernel, it rounds the length of a discarded
/// range up to whole pages.
class NativePagesTest {

  private static final int KB = 1 << 10;
  private static final int MB = 1 << 20;

  private final long reservedBefore = MemoryLimit.reserved();

  /// Address space without memory. It tracks the ranges in use and refuses to discard them.
  private static final class Kernel implements PageSystem {

    private final int pageSize;
    private final TreeMap<Long, Region> inUse = new TreeMap<>();
    private long next = 1L << 32;
    private long discarded;
    private int largestDiscard;
    private boolean refuses;
    private int refusals;
    private Runnable whileDiscarding = () -> {};

    Kernel(int pageSize) {
      this.pageSize = pageSize;
    }

    @Override
    public long map(long length) {
      assertEquals(0, length % pageSize);
      long address = next;
      next += length + (64L << 20);
      return address;
    }

    @Override
    public void discard(long address, long length) {
      if (refuses) {
        refusals++;
        throw new IllegalArgumentException("refused");
      }
      assertEquals(0, address % pageSize, "the kernel refuses what does not begin at a page");
      long end = (address + length + pageSize - 1) / pageSize * pageSize;
      inUse
          .subMap(address - (2L << 30), end)
          .forEach((at, region) ->
              assertTrue(at + region.length <= address, "memory in use would be zeroed"));
      discarded += end - address;
      largestDiscard = (int) Math.max(largestDiscard, length);
      whileDiscarding.run();
    }

    Region take(NativePages pages, int bytes) {
      Region region = pages.take(bytes, null);
      assertEquals(bytes, region.length);
      Long before = inUse.floorKey(region.address + bytes - 1);
      assertTrue(
          before == null || before + inUse.get(before).length <= region.address,
          "a region is handed out twice");
      inUse.put(region.address, region);
      return region;
    }

    void release(NativePages pages, Region region) {
      inUse.remove(region.address);
      pages.release(region);
    }
  }

  @AfterEach
  void whatWasReservedHasBeenReturned() {
    assertEquals(reservedBefore, MemoryLimit.reserved());
  }

  @ParameterizedTest
  @ValueSource(ints = {4 * KB, 16 * KB, 64 * KB})
  void memoryInUseIsNeverDiscarded(int pageSize) {
    Kernel kernel = new Kernel(pageSize);
    int unit = PageSource.unit(pageSize);
    NativePages pages = new NativePages(kernel, unit);
    Random random = new Random(pageSize);
    List<Region> held = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (random.nextInt(100) == 0) {
        pages.trim();
      } else if (held.size() < 60 && random.nextBoolean()) {
        int units = 1 + random.nextInt(1 << random.nextInt(random.nextInt(20) == 0 ? 10 : 6));
        held.add(kernel.take(pages, units * unit));
      } else if (!held.isEmpty()) {
        kernel.release(pages, held.remove(random.nextInt(held.size())));
      }
    }
    assertTrue(kernel.discarded > 0);
    held.forEach(region -> kernel.release(pages, region));
    pages.trim();
    assertEquals(0, pages.reserved());
    assertFalse(pages.hasIdle());
  }

  @Test
  void pagesOfSizeClassesAreWholeUnits() {
    for (int unit : new int[] {16 * KB, 64 * KB}) {
      for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
        int bytes = SizeClasses.pageBytes(sizeClass, unit);
        assertEquals(0, bytes % unit);
        assertTrue(bytes >= SizeClasses.capacity(sizeClass));
      }
    }
    assertEquals(16 * KB, PageSource.unit(4 * KB));
    assertEquals(64 * KB, PageSource.unit(64 * KB));
  }

  /// The thread that releases a gigabyte does not wait until the kernel has discarded it. No step
  /// holds the lock, so another thread can take memory in the meantime.
  @Test
  void largeReleaseReturnsMemoryInStepsOutsideTheLock() {
    Kernel kernel = new Kernel(4 * KB);
    NativePages pages = new NativePages(kernel, 16 * KB);
    Region region = kernel.take(pages, 1 << 30);
    boolean[] locked = {false};
    kernel.whileDiscarding = () -> locked[0] |= Thread.holdsLock(pages);
    kernel.release(pages, region);
    assertEquals(32 * MB, kernel.discarded);
    assertEquals((1 << 30) - 32 * MB, pages.reserved());
    pages.trim();
    assertEquals(1 << 30, kernel.discarded);
    assertEquals(32 * MB, kernel.largestDiscard);
    assertEquals(0, pages.reserved());
    assertFalse(locked[0]);
  }

  @Test
  void mappingThatIsPartlyReturnedServesTheNextRequest() {
    Kernel kernel = new Kernel(4 * KB);
    NativePages pages = new NativePages(kernel, 16 * KB);
    Region first = kernel.take(pages, 1 << 30);
    long address = first.address;
    kernel.release(pages, first);
    Region second = kernel.take(pages, (1 << 30) - 16 * KB);
    assertEquals(address, second.address);
    assertEquals((1 << 30) - 16 * KB, pages.reserved());
    kernel.release(pages, second);
    pages.trim();
  }

  @Test
  void memoryThatNoRequestNeededBetweenTwoCallsIsReturned() {
    Kernel kernel = new Kernel(4 * KB);
    NativePages pages = new NativePages(kernel, 16 * KB);
    Region large = kernel.take(pages, 2 * MB);
    Region small = kernel.take(pages, 32 * KB);
    kernel.release(pages, large);
    kernel.release(pages, small);
    pages.trimUnused();
    assertEquals(0, kernel.discarded);
    Region again = kernel.take(pages, 32 * KB);
    kernel.release(pages, again);
    pages.trimUnused();
    assertEquals(2 * MB, kernel.discarded);
    pages.trimUnused();
    assertEquals(2 * MB + 32 * KB, kernel.discarded);
    assertEquals(0, pages.reserved());
  }

  @Test
  void memoryThatTheSystemRefusesToTakeBackStaysAndServesAgain() {
    Kernel kernel = new Kernel(4 * KB);
    NativePages pages = new NativePages(kernel, 16 * KB);
    Region run = kernel.take(pages, MB);
    Region mapping = kernel.take(pages, 8 * MB);
    kernel.release(pages, run);
    kernel.release(pages, mapping);
    kernel.refuses = true;
    pages.trim();
    assertEquals(9 * MB, pages.reserved());
    assertEquals(8 * MB, kernel.take(pages, 8 * MB).length);
    kernel.release(pages, mapping);
    kernel.refuses = false;
    pages.trim();
    assertEquals(0, pages.reserved());
  }

  /// A thread that waits for memory must see that memory is on its way to the system.
  @Test
  void surplusOfAReusedMappingIsReturningWhileItIsDiscarded() {
    Kernel kernel = new Kernel(4 * KB);
    NativePages pages = new NativePages(kernel, 16 * KB);
    Region first = kernel.take(pages, 8 * MB);
    kernel.release(pages, first);
    List<String> seen = new ArrayList<>();
    kernel.whileDiscarding = () -> seen.add(pages.isReturning() + " " + pages.reserved() / MB);
    Region second = kernel.take(pages, 7 * MB + 512 * KB);
    assertEquals(List.of("true 8"), seen);
    assertFalse(pages.isReturning());
    assertEquals(7 * MB + 512 * KB, pages.reserved());
    kernel.release(pages, second);
    pages.trim();
  }

  @Test
  void releasesOfferMemoryAgainSomeTimeAfterTheSystemHasRefusedIt() {
    Kernel kernel = new Kernel(4 * KB);
    NativePages pages = new NativePages(kernel, 16 * KB);
    List<Region> held = new ArrayList<>();
    for (long taken = 0; taken <= 2 * PageSource.IDLE_KEPT; taken += 4 * MB) {
      held.add(kernel.take(pages, 4 * MB));
    }
    kernel.refuses = true;
    held.forEach(region -> kernel.release(pages, region));
    giveSmallRegions(kernel, pages, 32);
    assertEquals(1, kernel.refusals);
    kernel.refuses = false;
    giveSmallRegions(kernel, pages, 64);
    assertTrue(kernel.discarded > 0);
    assertTrue(pages.idle() <= PageSource.IDLE_KEPT);
    pages.trim();
  }

  private static void giveSmallRegions(Kernel kernel, NativePages pages, int count) {
    for (int i = 0; i < count; i++) {
      kernel.release(pages, kernel.take(pages, 16 * KB));
    }
  }

  @Test
  void refusedMappingCountsNothing() {
    NativePages pages =
        new NativePages(
            new PageSystem() {
              @Override
              public long map(long length) {
                throw new OutOfMemoryError("no");
              }

              @Override
              public void discard(long address, long length) {}
            },
            16 * KB);
    assertThrows(OutOfMemoryError.class, () -> pages.take(16 * KB, null));
    assertThrows(OutOfMemoryError.class, () -> pages.take(8 * MB, null));
    assertEquals(0, pages.reserved());
  }
}
