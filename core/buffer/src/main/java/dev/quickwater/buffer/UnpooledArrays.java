package dev.quickwater.buffer;

/// Regions that are new arrays of just the size asked for, of which nothing is kept.
final class UnpooledArrays implements PageSource {

  static final UnpooledArrays IT = new UnpooledArrays();

  private UnpooledArrays() {}

  @Override
  public Region take(int bytes) {
    MemoryLimit.reserve(bytes);
    try {
      return new Region(new byte[bytes], 0, bytes);
    } catch (Throwable t) {
      MemoryLimit.unreserve(bytes);
      throw t;
    }
  }

  @Override
  public void give(Region region) {
    MemoryLimit.unreserve(region.length());
  }

  @Override
  public void trim() {}

  @Override
  public long reserved() {
    return 0;
  }
}
