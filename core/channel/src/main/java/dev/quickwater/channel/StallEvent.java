package dev.quickwater.channel;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// The flight recorder's event for a stalled loop. The stack is in a field, because the stack of
/// the event would be that of the watchdog.
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
