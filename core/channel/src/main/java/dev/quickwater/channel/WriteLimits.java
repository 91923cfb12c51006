package dev.quickwater.channel;

/// How much may wait to be sent on a channel. Each message counts 64 bytes more than its own, so
/// that very many small ones reach the limits too; file regions count only those.
///
/// @param lowWaterMark bytes at which, or below, an unwritable channel becomes writable again
/// @param highWaterMark bytes above which the channel is not writable
/// @param hardLimit bytes above which the channel is closed
public record WriteLimits(int lowWaterMark, int highWaterMark, long hardLimit) {

  /// Marks of 32 and 64 KiB, a hard limit of 64 MiB.
  public static final WriteLimits DEFAULT = new WriteLimits(32 << 10, 64 << 10, 64L << 20);

  /// Checks the values against each other.
  public WriteLimits {
    ChannelSettings.require(0 <= lowWaterMark, "lowWaterMark", lowWaterMark, "0 or more");
    ChannelSettings.require(
        lowWaterMark <= highWaterMark,
        "highWaterMark",
        highWaterMark,
        "at least lowWaterMark, which is " + lowWaterMark);
    ChannelSettings.require(
        highWaterMark <= hardLimit,
        "hardLimit",
        hardLimit,
        "at least highWaterMark, which is " + highWaterMark);
  }
}
