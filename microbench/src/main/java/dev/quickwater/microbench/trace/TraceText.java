package dev.quickwater.microbench.trace;

import java.util.ArrayList;
import java.util.List;

/// Traces as text, an event a line: `a MICROS THREAD BLOCK SIZE` allocates, `f MICROS THREAD BLOCK`
/// frees. Empty lines and those that begin with `#` are for people.
final class TraceText {

  private static final int LARGEST = 1 << 30;

  private TraceText() {}

  /// @throws IllegalArgumentException if a line has another form; the message has its number
  static Trace parse(String name, String text) {
    List<Event> events = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!line.isBlank() && !line.startsWith("#")) {
        try {
          events.add(event(line.strip().split(" +", -1)));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "line %d of %s is '%s': %s".formatted(number, name, line, e.getMessage()), e);
        }
      }
    }
    return Trace.of(name, events);
  }

  private static Event event(String[] words) {
    boolean frees = words[0].equals("f");
    if ((!frees && !words[0].equals("a")) || words.length != (frees ? 4 : 5)) {
      throw new IllegalArgumentException(
          "expected 'a MICROS THREAD BLOCK SIZE' or 'f MICROS THREAD BLOCK'");
    }
    return new Event(
        number(words[1], Long.MAX_VALUE),
        (int) number(words[2], Byte.MAX_VALUE),
        (int) number(words[3], LARGEST),
        frees ? Event.FREE : (int) number(words[4], LARGEST));
  }

  private static long number(String word, long most) {
    long number = Long.parseLong(word);
    if (number < 0 || number > most) {
      throw new IllegalArgumentException(word + " is not in 0 to " + most);
    }
    return number;
  }

  static String format(Trace trace) {
    StringBuilder text = new StringBuilder();
    for (Event event : trace.events()) {
      text.append(event.frees() ? "f " : "a ")
          .append(event.micros())
          .append(' ')
          .append(event.thread())
          .append(' ')
          .append(event.block());
      if (!event.frees()) {
        text.append(' ').append(event.size());
      }
      text.append('\n');
    }
    return text.toString();
  }
}
