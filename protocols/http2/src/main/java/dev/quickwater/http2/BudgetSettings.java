package dev.quickwater.http2;

/// What a peer may do on a connection without carrying a request or its data; immutable, validated
/// when created. A peer that exceeds a budget is disconnected with ENHANCE_YOUR_CALM.
///
/// @param resets streams that are opened and reset
/// @param frames frames that carry neither fields nor content
/// @param unwrittenAcks acknowledgements of PING and of SETTINGS, each, that wait because the peer
///   does not read
/// @param heldFields decoded bytes of the fields of open streams, 32 bytes a field included;
///   streams beyond are refused
public record BudgetSettings(
    Resets resets, ControlFrames frames, int unwrittenAcks, int heldFields) {

  /// A number of events that may come at once, and how many are forgotten each second.
  ///
  /// @param burst events at once
  /// @param perSecond events that may come for ever
  public record Rate(int burst, int perSecond) {

    /// Checks the values.
    public Rate {
      SettingCheck.require(burst > 0, "burst", burst, "more than zero");
      SettingCheck.require(perSecond > 0, "perSecond", perSecond, "more than zero");
    }
  }

  /// Streams that are opened and reset.
  ///
  /// There is no limit of resets over the life of a connection, and none of 200 in 30 s, as Netty
  /// has: a proxy cancels what its clients abandon, and gRPC cancels calls by design. Seven a
  /// second is everyday for both.
  ///
  /// @param unstarted resets by the peer before the handler has started
  /// @param streams a connection that opens more streams than this within a second is disconnected
  ///   if more than half as many are reset within that second, by the peer or for its errors
  public record Resets(Rate unstarted, int streams) {

    /// 20 before the handler has started, decaying in a second: work that costs us and not the
    /// peer. 500 streams: what Envoy allows; a second of requests of a busy proxy.
    public static final Resets DEFAULT = new Resets(new Rate(20, 20), 500);

    /// Checks the values.
    public Resets {
      SettingCheck.require(streams > 0, "streams", streams, "more than zero");
    }
  }

  /// Frames that carry neither fields nor content. Frames that do (of the peer; for WINDOW_UPDATE
  /// also DATA that is sent) return [#REFILL] of each kind but SETTINGS.
  ///
  /// @param ping PING without acknowledgement
  /// @param settings SETTINGS without acknowledgement
  /// @param emptyData DATA without content and without END_STREAM
  /// @param windowUpdate WINDOW_UPDATE
  /// @param ignored PRIORITY, PRIORITY_UPDATE and unknown types
  public record ControlFrames(
      Rate ping, Rate settings, Rate emptyData, Rate windowUpdate, Rate ignored) {

    /// Frames that a frame with fields or content returns: peers that measure bandwidth, announce
    /// credit or change priorities do it a few times a frame.
    public static final int REFILL = 10;

    /// 1,000 at once and 100 a second of what costs as much as reading it: the bytes of one receive
    /// buffer, and more than keep-alive needs. 100 at once and 10 a second of SETTINGS, which
    /// change every stream, and of empty DATA, which no writer needs.
    public static final ControlFrames DEFAULT =
        new ControlFrames(
            new Rate(1_000, 100),
            new Rate(100, 10),
            new Rate(100, 10),
            new Rate(1_000, 100),
            new Rate(1_000, 100));
  }

  /// The defaults of each part; 1,000 acknowledgements, which are 17 KB; 1 MiB of fields, which is
  /// 100 requests of 10 KiB.
  public static final BudgetSettings DEFAULT =
      new BudgetSettings(Resets.DEFAULT, ControlFrames.DEFAULT, 1_000, 1 << 20);

  /// Checks the values.
  public BudgetSettings {
    SettingCheck.require(unwrittenAcks > 0, "unwrittenAcks", unwrittenAcks, "more than zero");
    SettingCheck.require(heldFields > 0, "heldFields", heldFields, "more than zero");
  }

  /// These settings with other limits of resets.
  public BudgetSettings withResets(Resets other) {
    return new BudgetSettings(other, frames, unwrittenAcks, heldFields);
  }

  /// These settings with other limits of frames.
  public BudgetSettings withFrames(ControlFrames other) {
    return new BudgetSettings(resets, other, unwrittenAcks, heldFields);
  }

  /// These settings with another limit of unwritten acknowledgements.
  public BudgetSettings withUnwrittenAcks(int count) {
    return new BudgetSettings(resets, frames, count, heldFields);
  }

  /// These settings with another limit of decoded fields.
  public BudgetSettings withHeldFields(int bytes) {
    return new BudgetSettings(resets, frames, unwrittenAcks, bytes);
  }
}
