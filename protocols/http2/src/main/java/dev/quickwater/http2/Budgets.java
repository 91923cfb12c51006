package dev.quickwater.http2;

import dev.quickwater.http2.BudgetSettings.ControlFrames;
import org.jspecify.annotations.Nullable;

/// Limits frames that cost this side work and carry neither a request nor data: the defence against
/// floods of resets and of control frames.
///
/// - Every count decays with time, so an old connection never exceeds a limit by its age.
/// - Limits apply from the first frame.
/// - An exceeded limit is a connection error, ENHANCE_YOUR_CALM. The error message goes to the
///   peer; [#budgetOf] is for the operator's log.
/// - DATA frames of a few bytes have no budget: terminals, games and gRPC send thousands a second.
///   The work is linear in the received bytes, and the windows bound unread bytes. A stream copies
///   small pieces into one buffer, because a separate buffer for each would cost more than its
///   bytes.
final class Budgets {

  private static final int UNSTARTED = 0;
  private static final int PING = 1;
  private static final int SETTINGS = 2;
  private static final int EMPTY_DATA = 3;
  private static final int WINDOW_UPDATE = 4;
  private static final int IGNORED = 5;
  private static final int KINDS = 6;

  private static final @Nullable Bucket[] NONE = {};

  private final BudgetSettings settings;

  /// By kind; null for a kind without events. Empty before the first event.
  private @Nullable Bucket[] buckets = NONE;

  private @Nullable SecondCounter opened;
  private @Nullable SecondCounter reset;
  private int heldFields;
  private long trips;
  private @Nullable String trippedSetting;

  /// The error of the last exceeded limit that closes the connection.
  private @Nullable Http2Exception excess;

  private final @Nullable BudgetTrips totals;

  Budgets(BudgetSettings settings) {
    this(settings, null);
  }

  /// @param totals counts the exceeded limits of several connections
  Budgets(BudgetSettings settings, @Nullable BudgetTrips totals) {
    this.settings = settings;
    this.totals = totals;
  }

  /// The peer has opened a stream.
  ///
  /// @param now the time in nanoseconds, as for every method
  void streamOpened(long now) {
    @Nullable SecondCounter counter = opened;
    if (counter == null) {
      counter = new SecondCounter();
      opened = counter;
    }
    counter.add(now);
  }

  /// The peer has reset a stream whose handler has not started. [#streamReset] is called as well.
  void resetBeforeHandler(long now) throws Http2Exception {
    count(UNSTARTED, now, "streams reset before their requests were handled", "resets.unstarted");
  }

  /// A stream was reset, by the peer or by this side because of an error of the peer. Both count,
  /// because a peer can provoke either (CVE-2023-44487, CVE-2025-8671). Refused streams do not
  /// count.
  void streamReset(long now) throws Http2Exception {
    @Nullable SecondCounter counter = reset;
    if (counter == null) {
      counter = new SecondCounter();
      reset = counter;
    }
    counter.add(now);
    long streams = opened == null ? 0 : opened.count(now);
    long resets = counter.count(now);
    if (streams > settings.resets().streams() && resets > streams / 2) {
      throw exceeded(
          resets + " of " + streams + " streams were reset within a second", "resets.streams");
    }
  }

  /// A PING frame to acknowledge.
  ///
  /// @param unwrittenAcks earlier acknowledgements, of PING and SETTINGS, that were not sent
  void ping(long now, int unwrittenAcks) throws Http2Exception {
    checkAcks(unwrittenAcks);
    count(PING, now, "PING frames without requests or content", "frames.ping");
  }

  /// A SETTINGS frame to acknowledge.
  ///
  /// @param unwrittenAcks earlier acknowledgements, of PING and SETTINGS, that were not sent
  void settings(long now, int unwrittenAcks) throws Http2Exception {
    checkAcks(unwrittenAcks);
    count(SETTINGS, now, "SETTINGS frames", "frames.settings");
  }

  /// This side refuses or resets a stream because of the peer's frames, or because a head exceeds a
  /// limit. The limit is larger than that of acknowledgements, because a client that has not read
  /// our settings may cause many refusals at once.
  ///
  /// @param unwritten the number of refusals that were not sent
  void refusal(int unwritten) throws Http2Exception {
    if (unwritten >= 10L * settings.unwrittenAcks()) {
      throw exceeded(unwritten + " refusals of streams were not read", "unwrittenAcks");
    }
  }

  private void checkAcks(int unwritten) throws Http2Exception {
    if (unwritten >= settings.unwrittenAcks()) {
      throw exceeded(
          unwritten + " acknowledgements of PING and SETTINGS were not read", "unwrittenAcks");
    }
  }

  /// A DATA frame without content and without END_STREAM. Padding is not content.
  void emptyData(long now) throws Http2Exception {
    count(EMPTY_DATA, now, "empty DATA frames", "frames.emptyData");
  }

  void windowUpdate(long now) throws Http2Exception {
    count(WINDOW_UPDATE, now, "WINDOW_UPDATE frames without content sent", "frames.windowUpdate");
  }

  /// A frame without effect: PRIORITY, PRIORITY_UPDATE, an unknown type.
  void ignored(long now) throws Http2Exception {
    count(IGNORED, now, "PRIORITY, PRIORITY_UPDATE and unknown frames", "frames.ignored");
  }

  /// HEADERS, or DATA with content, has arrived. Refills the other budgets except that of SETTINGS.
  void progress() {
    refill(PING, ControlFrames.REFILL);
    refill(EMPTY_DATA, ControlFrames.REFILL);
    refill(WINDOW_UPDATE, ControlFrames.REFILL);
    refill(IGNORED, ControlFrames.REFILL);
  }

  /// DATA frames with content were sent. The peer responds with WINDOW_UPDATE, and may send PING to
  /// measure bandwidth.
  void dataSent(int frames) {
    int events = (int) Math.min(Integer.MAX_VALUE, (long) frames * ControlFrames.REFILL);
    refill(WINDOW_UPDATE, events);
    refill(PING, events);
  }

  /// A header block was decoded, and its stream will hold the fields.
  ///
  /// @param bytes names and values, and 32 bytes a field
  /// @return false if all streams together would hold more than the limit. Then nothing is counted,
  ///   and the caller refuses the stream
  boolean fieldsDecoded(int bytes) {
    if (bytes > settings.heldFields() - heldFields) {
      trip("heldFields");
      return false;
    }
    heldFields += bytes;
    return true;
  }

  /// A stream no longer holds its fields.
  void fieldsReleased(int bytes) {
    heldFields -= bytes;
  }

  /// A limit of [BudgetSettings.Linger] was exceeded: the peer has sent too many bytes after the
  /// last frame, or the last frame was not sent in time after a connection error.
  ///
  /// @param limit the name of the component
  void lingerExceeded(String limit) {
    trip("linger." + limit);
  }

  /// How often a limit was exceeded.
  long trips() {
    return trips;
  }

  /// The component of [BudgetSettings] whose limit an error reports; null for another error.
  @Nullable String budgetOf(Http2Exception e) {
    return e == excess ? trippedSetting : null;
  }

  /// The component of [BudgetSettings] that was exceeded last; null for none.
  @Nullable String trippedSetting() {
    return trippedSetting;
  }

  /// Releases the memory of counts that have decayed to zero.
  void trim(long now) {
    boolean empty = true;
    for (Bucket bucket : buckets) {
      empty &= bucket == null || bucket.isEmpty(now);
    }
    if (empty) {
      buckets = NONE;
    }
    if (reset == null || reset.count(now) == 0) {
      reset = null;
      opened = null;
    }
  }

  private void refill(int kind, int events) {
    @Nullable Bucket bucket = buckets.length == 0 ? null : buckets[kind];
    if (bucket != null) {
      bucket.refill(events);
    }
  }

  private BudgetSettings.Rate rate(int kind) {
    ControlFrames frames = settings.frames();
    return switch (kind) {
      case UNSTARTED -> settings.resets().unstarted();
      case PING -> frames.ping();
      case SETTINGS -> frames.settings();
      case EMPTY_DATA -> frames.emptyData();
      case WINDOW_UPDATE -> frames.windowUpdate();
      default -> frames.ignored();
    };
  }

  private void count(int kind, long now, String what, String setting) throws Http2Exception {
    if (buckets.length == 0) {
      buckets = new @Nullable Bucket[KINDS];
    }
    @Nullable Bucket bucket = buckets[kind];
    if (bucket == null) {
      bucket = new Bucket(rate(kind));
      buckets[kind] = bucket;
    }
    if (!bucket.add(now)) {
      throw exceeded(bucket.burst() + 1 + " " + what, setting);
    }
  }

  private Http2Exception exceeded(String fact, String setting) {
    trip(setting);
    Http2Exception error = Http2Exception.connection(ErrorCode.ENHANCE_YOUR_CALM, fact);
    excess = error;
    return error;
  }

  private void trip(String setting) {
    trips++;
    trippedSetting = setting;
    if (totals != null) {
      totals.add(setting);
    }
  }
}
