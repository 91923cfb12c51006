package dev.quickwater.channel;

import dev.quickwater.util.setting.SettingCheck;

/// Limits of the bytes that wait to be sent on a channel. Each message counts as its bytes and 64
/// more, because many small messages fill the memory too. File regions count only the 64.
///
/// @param lowWaterMark an unwritable channel becomes writable when no more bytes than this wait
/// @param highWaterMark a channel is unwritable when more bytes than this wait
/// @param hardLimit a channel is closed when more bytes than this wait
public record WriteLimits(int lowWaterMark, int highWaterMark, long hardLimit) {

  /// Water marks of 32 and 64 KiB, a hard limit of 64 MiB.
  public static final WriteLimits DEFAULT = new WriteLimits(32 << 10, 64 << 10, 64L << 20);

  /// Checks the values against each other.
  public WriteLimits {
    SettingCheck.require(0 <= lowWaterMark, "lowWaterMark", lowWaterMark, "0 or more");
    SettingCheck.require(
        lowWaterMark <= highWaterMark,
        "highWaterMark",
        highWaterMark,
        "at least lowWaterMark, which is " + lowWaterMark);
    SettingCheck.require(
        highWaterMark <= hardLimit,
        "hardLimit",
        hardLimit,
        "at least highWaterMark, which is " + highWaterMark);
  }
}
