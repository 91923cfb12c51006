package dev.quickwater.http2;

import org.jspecify.annotations.Nullable;

/// Limits what a peer may do on a connection without carrying a request or its data: the defence
/// against floods of resets and of control frames.
///
/// - Every count decays, so no number is reached by the age of a connection.
/// - Limits hold from the first frame.
/// - An exceeded limit is an error of the connection, ENHANCE_YOUR_CALM. Its message goes to the
///   peer; [#trippedSetting] is for the log of the operator.
/// - DATA frames of a few bytes have no budget: terminals, games and gRPC send thousands a second,
///   the work is linear in the bytes received, and what is unread is bounded by the windows. X
///   stores unread bytes joins small pieces, because a handle costs more than a byte.
final class Budgets {

  private final BudgetSettings settings;
  private final Bucket unstarted;
  private final Bucket pings;
  private final Bucket settingsFrames;
  private final Bucket emptyData;
  private final Bucket windowUpdates;
  private final Bucket ignored;
  private final SecondCounter opened = new SecondCounter();
  private final SecondCounter reset = new SecondCounter();
  private int heldFields;
  private long trips;
  private @Nullable String trippedSetting;

  Budgets(BudgetSettings settings) {
    this.settings = settings;
    BudgetSettings.ControlFrames frames = settings.frames();
    unstarted = new Bucket(settings.resets().unstarted());
    pings = new Bucket(frames.ping());
    settingsFrames = new Bucket(frames.settings());
    emptyData = new Bucket(frames.emptyData());
    windowUpdates = new Bucket(frames.windowUpdate());
    ignored = new Bucket(frames.ignored());
  }

  /// The peer has opened a stream.
  ///
  /// @param now the time in nanoseconds, as for every method
  void streamOpened(long now) {
    opened.add(now);
  }

  /// The peer has reset a stream whose handler has not started. [#streamReset] is called as well.
  void resetBeforeHandler(long now) throws Http2Exception {
    count(unstarted, now, "streams reset before their requests were handled", "resets.unstarted");
  }

  /// A stream was reset: by the peer, or by this side for an error of the peer (which costs as
  /// much, if the peer makes us reset). Refused streams do not count.
  void streamReset(long now) throws Http2Exception {
    reset.add(now);
    long streams = opened.count(now);
    long resets = reset.count(now);
    if (streams > settings.resets().streams() && resets > streams / 2) {
      throw exceeded(
          resets + " of " + streams + " streams were reset within a second", "resets.streams");
    }
  }

  /// A PING frame to acknowledge.
  ///
  /// @param unwrittenAcks acknowledgements of earlier ones that are not written
  void ping(long now, int unwrittenAcks) throws Http2Exception {
    checkAcks(unwrittenAcks, "PING");
    count(pings, now, "PING frames without requests or content", "frames.ping");
  }

  /// A SETTINGS frame to acknowledge.
  ///
  /// @param unwrittenAcks acknowledgements of earlier ones that are not written
  void settings(long now, int unwrittenAcks) throws Http2Exception {
    checkAcks(unwrittenAcks, "SETTINGS");
    count(settingsFrames, now, "SETTINGS frames", "frames.settings");
  }

  private void checkAcks(int unwritten, String kind) throws Http2Exception {
    if (unwritten >= settings.unwrittenAcks()) {
      throw exceeded(
          unwritten + " acknowledgements of " + kind + " frames were not read", "unwrittenAcks");
    }
  }

  /// A DATA frame without content and without END_STREAM; padding is no content.
  void emptyData(long now) throws Http2Exception {
    count(emptyData, now, "empty DATA frames", "frames.emptyData");
  }

  void windowUpdate(long now) throws Http2Exception {
    count(windowUpdates, now, "WINDOW_UPDATE frames without content sent", "frames.windowUpdate");
  }

  /// A frame without effect: PRIORITY, PRIORITY_UPDATE, an unknown type.
  void ignored(long now) throws Http2Exception {
    count(ignored, now, "PRIORITY, PRIORITY_UPDATE and unknown frames", "frames.ignored");
  }

  /// HEADERS, or DATA with content, has arrived.
  void progress() {
    pings.refill(BudgetSettings.ControlFrames.REFILL);
    emptyData.refill(BudgetSettings.ControlFrames.REFILL);
    windowUpdates.refill(BudgetSettings.ControlFrames.REFILL);
    ignored.refill(BudgetSettings.ControlFrames.REFILL);
  }

  /// DATA frames with content were sent: the peer announces credit for them.
  void dataSent(int frames) {
    windowUpdates.refill(
        (int) Math.min(Integer.MAX_VALUE, (long) frames * BudgetSettings.ControlFrames.REFILL));
  }

  /// A header block was decoded, and its stream holds the fields.
  ///
  /// @param bytes names and values, and 32 bytes a field
  /// @return false if all streams together would hold too much: nothing is counted, and the stream
  ///   is refused
  boolean fieldsDecoded(int bytes) {
    if (bytes > settings.heldFields() - heldFields) {
      trips++;
      trippedSetting = "heldFields";
      return false;
    }
    heldFields += bytes;
    return true;
  }

  /// A stream does not hold its fields any more.
  void fieldsReleased(int bytes) {
    heldFields -= bytes;
  }

  /// How often a limit was exceeded.
  long trips() {
    return trips;
  }

  /// The component of [BudgetSettings] that was exceeded last; null for none.
  @Nullable String trippedSetting() {
    return trippedSetting;
  }

  private void count(Bucket bucket, long now, String what, String setting) throws Http2Exception {
    if (!bucket.add(now)) {
      throw exceeded(bucket.burst() + 1 + " " + what, setting);
    }
  }

  private Http2Exception exceeded(String fact, String setting) {
    trips++;
    trippedSetting = setting;
    return Http2Exception.connection(ErrorCode.ENHANCE_YOUR_CALM, fact);
  }
}
