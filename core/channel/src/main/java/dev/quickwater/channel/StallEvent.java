package dev.quickwater.channel;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// The flight recorder's event for a stalled loop. A field has the loop's stack, because the
/// event's stack would be the watchdog's.
@Name("dev.quickwater.LoopStall")
@Label("Event Loop Stall")
@Description("One event or task of an event loop has run longer than the watchdog allows")
@Category({"Quickwater", "Channel"})
@StackTrace(false)
final class StallEvent extends Event {
  @Label("Loop")
  String loop = "";

  @Label("Channel")
  String channel = "";

  @Label("Handler")
  String handler = "";

  @Label("So Far")
  @Timespan
  long nanos;

  @Label("Stack")
  String stack = "";
}
