package dev.quickwater.channel;

import dev.quickwater.util.setting.SettingCheck;

/// Limits of the reads of a channel.
///
/// @param readsPerTurn maximum reads from one channel in one turn of the loop
/// @param minSize smallest receive buffer in bytes, at least 64; the size adapts to what was read
/// @param maxSize largest receive buffer in bytes
public record ReadLimits(int readsPerTurn, int minSize, int maxSize) {

  /// 16 reads per turn, buffers of 1 to 64 KiB.
  public static final ReadLimits DEFAULT = new ReadLimits(16, 1 << 10, 64 << 10);

  /// Checks the values against each other.
  public ReadLimits {
    SettingCheck.require(readsPerTurn > 0, "readsPerTurn", readsPerTurn, "1 or more");
    SettingCheck.require(minSize >= 64, "minSize", minSize, "64 or more");
    SettingCheck.require(
        maxSize >= minSize, "maxSize", maxSize, "at least minSize, which is " + minSize);
  }
}
