package dev.quickwater.http1;

import dev.quickwater.util.setting.SettingCheck;

/// Limits of heads, trailers and chunk lines.
///
/// @param maxTargetLength bytes of the target of a request line; above it the response is 414
/// @param maxHeadSize bytes of a head, plus 32 for each field, at most 65,535; above it the
///   response is 431
/// @param maxFields fields of a head or of trailers; above it the response is 431
/// @param maxChunkExtension bytes of the chunk extensions of one body; above it the response is 400
/// @param maxInformational informational responses before a final one, for clients
public record HeadLimits(
    int maxTargetLength,
    int maxHeadSize,
    int maxFields,
    int maxChunkExtension,
    int maxInformational) {

  /// 8 KiB target, 32 KiB head, 100 fields, 4 KiB chunk extensions, 8 informational responses.
  public static final HeadLimits DEFAULT = new HeadLimits(8 << 10, 32 << 10, 100, 4 << 10, 8);

  /// Checks the values against each other.
  public HeadLimits {
    SettingCheck.require(
        maxHeadSize >= 64 && maxHeadSize <= 0xffff, "maxHeadSize", maxHeadSize, "64 to 65535");
    SettingCheck.require(
        maxTargetLength >= 1 && maxTargetLength <= maxHeadSize,
        "maxTargetLength",
        maxTargetLength,
        "1 to maxHeadSize, which is " + maxHeadSize);
    SettingCheck.require(maxFields >= 1, "maxFields", maxFields, "1 or more");
    SettingCheck.require(
        maxChunkExtension >= 0, "maxChunkExtension", maxChunkExtension, "0 or more");
    SettingCheck.require(maxInformational >= 0, "maxInformational", maxInformational, "0 or more");
  }

  /// These limits with other limits of a head.
  public HeadLimits with(int target, int head, int fields) {
    return new HeadLimits(target, head, fields, maxChunkExtension, maxInformational);
  }

  /// These limits with another limit of chunk extensions.
  public HeadLimits withMaxChunkExtension(int bytes) {
    return new HeadLimits(maxTargetLength, maxHeadSize, maxFields, bytes, maxInformational);
  }

  /// These limits with another number of informational responses.
  public HeadLimits withMaxInformational(int count) {
    return new HeadLimits(maxTargetLength, maxHeadSize, maxFields, maxChunkExtension, count);
  }
}
