package dev.quickwater.http2;

import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;

/// Limits of frames and streams that cost this side work and carry neither a request nor data;
/// immutable, validated when created. A peer that exceeds a limit is disconnected with
/// ENHANCE_YOUR_CALM, except for `heldFields`.
///
/// @param resets streams that are opened and reset
/// @param frames frames that carry neither fields nor content
/// @param unwrittenAcks acknowledgements of PING and SETTINGS, together, that wait because the peer
///   does not read. Responses and resets that refuse a stream for an error of the peer have ten
///   times this limit
/// @param heldFields decoded bytes of the fields of all open streams, with 32 bytes for each field;
///   a stream beyond the limit is refused
/// @param linger limits of reading after the last frame, which lets the peer receive that frame
public record BudgetSettings(
    Resets resets, ControlFrames frames, int unwrittenAcks, int heldFields, Linger linger) {

  /// A number of events that are allowed at once, and a number of counted events that are forgotten
  /// each second.
  ///
  /// @param burst events that are allowed at once
  /// @param perSecond events that are allowed each second without a limit in time
  public record Rate(int burst, int perSecond) {

    /// Checks the values.
    public Rate {
      SettingCheck.require(burst > 0, "burst", burst, "more than zero");
      SettingCheck.require(perSecond > 0, "perSecond", perSecond, "more than zero");
    }
  }

  /// Limits of streams that are opened and reset.
  ///
  /// A connection has no limit of resets over its life, because a proxy cancels the requests that
  /// its clients abandon, and gRPC cancels calls by design. Both reset several streams a second for
  /// hours.
  ///
  /// @param unstarted resets by the peer before the handler has started
  /// @param streams streams opened within a second. If a connection opens more, and more than half
  ///   as many streams are reset within that second, it is disconnected
  public record Resets(Rate unstarted, int streams) {

    /// 20 resets before the handler has started, forgotten within a second, because such a request
    /// costs this side work and the peer nothing. 500 streams, as in Envoy: about as many as a busy
    /// proxy opens in a second.
    public static final Resets DEFAULT = new Resets(new Rate(20, 20), 500);

    /// Checks the values.
    public Resets {
      SettingCheck.require(streams > 0, "streams", streams, "more than zero");
    }
  }

  /// Frames that carry neither fields nor content. HEADERS or DATA with content from the peer
  /// refills every budget except `settings` by [#REFILL] frames. DATA that this side sends refills
  /// `ping` and `windowUpdate` by as much.
  ///
  /// @param ping PING without acknowledgement
  /// @param settings SETTINGS without acknowledgement
  /// @param emptyData DATA without content and without END_STREAM
  /// @param windowUpdate WINDOW_UPDATE
  /// @param ignored PRIORITY, PRIORITY_UPDATE and unknown types
  public record ControlFrames(
      Rate ping, Rate settings, Rate emptyData, Rate windowUpdate, Rate ignored) {

    /// How many frames of each kind a frame with fields or content allows. Peers measure bandwidth,
    /// announce credit and change priorities a few times for each such frame.
    public static final int REFILL = 10;

    /// SETTINGS and empty DATA: 100 at once and 10 a second, because SETTINGS change every stream
    /// and no writer needs empty DATA. Other kinds: 1,000 at once and 100 a second, because a frame
    /// costs little more than its bytes. Both allow more than keep-alive needs.
    public static final ControlFrames DEFAULT =
        new ControlFrames(
            new Rate(1_000, 100),
            new Rate(100, 10),
            new Rate(100, 10),
            new Rate(1_000, 100),
            new Rate(1_000, 100));
  }

  /// Limits of the phase between the last frame, which is GOAWAY, and the close. Until the peer
  /// ends its direction, its bytes are read and dropped: an immediate close could reset the
  /// connection before the peer has read GOAWAY. Above `bytes`, the channel stops reading and
  /// closes when its output was sent. After `timeout`, it closes.
  ///
  /// @param bytes bytes that are dropped in addition to the connection's receive window. A peer
  ///   that obeys flow control sends no more content than the window; `bytes` allows for heads,
  ///   control frames and frame headers
  /// @param timeout how long the peer may take to close after the last frame was sent. After a
  ///   connection error, also how long that frame may take to be sent
  public record Linger(int bytes, Duration timeout) {

    /// 1 MiB: the frame headers of a window of 1 MiB in DATA frames of 9 bytes. 5 s: a few round
    /// trips with retransmissions.
    public static final Linger DEFAULT = new Linger(1 << 20, Duration.ofSeconds(5));

    /// Checks the values.
    public Linger {
      SettingCheck.require(bytes >= 0, "bytes", bytes, "0 or more");
      SettingCheck.require(!timeout.isNegative(), "timeout", timeout, "0 or more");
    }
  }

  /// The defaults of each part; 1,000 acknowledgements, which take 17 KB; 1 MiB of fields, enough
  /// for 100 requests of 10 KiB.
  public static final BudgetSettings DEFAULT =
      new BudgetSettings(Resets.DEFAULT, ControlFrames.DEFAULT, 1_000, 1 << 20, Linger.DEFAULT);

  /// Checks the values.
  public BudgetSettings {
    SettingCheck.require(unwrittenAcks > 0, "unwrittenAcks", unwrittenAcks, "more than zero");
    SettingCheck.require(heldFields > 0, "heldFields", heldFields, "more than zero");
  }

  /// These settings with other limits of resets.
  public BudgetSettings withResets(Resets other) {
    return new BudgetSettings(other, frames, unwrittenAcks, heldFields, linger);
  }

  /// These settings with other limits of frames.
  public BudgetSettings withFrames(ControlFrames other) {
    return new BudgetSettings(resets, other, unwrittenAcks, heldFields, linger);
  }

  /// These settings with another limit of unwritten acknowledgements.
  public BudgetSettings withUnwrittenAcks(int count) {
    return new BudgetSettings(resets, frames, count, heldFields, linger);
  }

  /// These settings with another limit of decoded fields.
  public BudgetSettings withHeldFields(int bytes) {
    return new BudgetSettings(resets, frames, unwrittenAcks, bytes, linger);
  }

  /// These settings with other limits of reading after the last frame.
  public BudgetSettings withLinger(Linger other) {
    return new BudgetSettings(resets, frames, unwrittenAcks, heldFields, other);
  }
}
