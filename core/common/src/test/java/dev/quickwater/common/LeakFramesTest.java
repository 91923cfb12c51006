package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class LeakFramesTest {

  private static List<String> shown(String... classes) {
    StackTraceElement[] stack =
        Stream.of(classes)
            .map(name -> new StackTraceElement(name, "m", null, 1))
            .toArray(StackTraceElement[]::new);
    return LeakFrames.of(stack, Object.class).stream()
        .map(StackTraceElement::getClassName)
        .toList();
  }

  @Test
  void framesOfTheTrackerAndOfLaunchersAreCut() {
    assertEquals(
        List.of("app.Handler", "java.util.ArrayList", "app.Main"),
        shown(
            LeakTracker.class.getName(),
            "app.Handler",
            "java.util.ArrayList",
            "app.Main",
            "java.lang.reflect.Method",
            "org.junit.platform.Launcher"));
  }

  @Test
  void stackWithoutFramesOfTheProgramIsShownWhole() {
    assertEquals(
        List.of(LeakTracker.class.getName(), "java.lang.Thread"),
        shown(LeakTracker.class.getName(), "java.lang.Thread"));
  }
}
