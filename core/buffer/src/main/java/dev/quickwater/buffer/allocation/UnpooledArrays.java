package dev.quickwater.buffer.allocation;

import org.jspecify.annotations.Nullable;

/// Regions that are new arrays of the requested size. Returned arrays are not kept.
final class UnpooledArrays implements PageSource {

  static final UnpooledArrays IT = new UnpooledArrays();

  private UnpooledArrays() {}

  @Override
  public Region take(int bytes, @Nullable Heap driven) {
    MemoryLimit.reserve(bytes, driven);
    boolean taken = false;
    try {
      Region region = new Region(new byte[bytes]);
      taken = true;
      return region;
    } finally {
      if (!taken) {
        MemoryLimit.unreserve(bytes);
      }
    }
  }

  @Override
  public void release(Region region) {
    MemoryLimit.unreserve(region.length);
  }

  @Override
  public void trim() {}

  @Override
  public void trimUnused() {}

  @Override
  public boolean hasIdle() {
    return false;
  }

  @Override
  public long reserved() {
    return 0;
  }
}
