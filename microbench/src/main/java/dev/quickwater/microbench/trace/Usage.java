package dev.quickwater.microbench.trace;

/// How much memory a trace took.
///
/// @param peakLive maximum of bytes that were requested and not released
/// @param peakReserved maximum of bytes that the allocator had from the system
/// @param steadyLive mean over the second half of the trace's time
/// @param steadyReserved likewise
record Usage(long peakLive, long peakReserved, long steadyLive, long steadyReserved) {

  /// Reserved to live bytes, each at its peak.
  double peakRatio() {
    return (double) peakReserved / peakLive;
  }

  /// Reserved to live bytes, on average over the second half.
  double steadyRatio() {
    return (double) steadyReserved / steadyLive;
  }

  /// Reads what [#toString] wrote.
  static Usage parse(String line) {
    String[] words = line.split(" ", -1);
    return new Usage(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]));
  }

  @Override
  public String toString() {
    return peakLive + " " + peakReserved + " " + steadyLive + " " + steadyReserved;
  }

  /// Adds up a trace as it runs. A level counts from its event to the next one.
  static final class Meter {

    private final long half;
    private final long end;
    private long last;
    private long live;
    private long reserved;
    private long peakLive;
    private long peakReserved;
    private double liveTime;
    private double reservedTime;

    /// Of a trace that lasts `end` microseconds.
    Meter(long end) {
      this.end = end;
      half = end / 2;
    }

    void note(long micros, int change, long reservedNow) {
      long weight = Math.max(0, micros - Math.max(half, last));
      liveTime += (double) live * weight;
      reservedTime += (double) reserved * weight;
      last = micros;
      live += change;
      reserved = reservedNow;
      peakLive = Math.max(peakLive, live);
      peakReserved = Math.max(peakReserved, reserved);
    }

    Usage usage() {
      double time = Math.max(1, end - half);
      return new Usage(
          peakLive, peakReserved, (long) (liveTime / time), (long) (reservedTime / time));
    }
  }
}
