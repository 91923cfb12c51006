package dev.quickwater.common;

import java.security.CodeSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reduces the stack of a tracked handle to the frames of the program.
///
/// - The first frames are left out if they belong to the library: to the code source of
///   [LeakTracker] or, if the handle is a buffer, of the handle's class ([#isBuffer]).
/// - The last frames are left out if they belong to the JDK or to a test framework that calls the
///   program.
/// - If no other frame is left, all are shown.
final class LeakFrames {

  private static final List<String> LAUNCHERS =
      List.of("java.", "jdk.", "org.junit.", "org.apache.maven.surefire.", "org.gradle.");

  private LeakFrames() {}

  static List<StackTraceElement> of(StackTraceElement[] stack, Class<?> handle) {
    int from = 0;
    while (from < stack.length && isLibrary(stack[from], handle)) {
      from++;
    }
    int to = stack.length;
    while (to > from && isLauncher(stack[to - 1])) {
      to--;
    }
    return Arrays.asList(stack).subList(to == from ? 0 : from, to == from ? stack.length : to);
  }

  private static boolean isLauncher(StackTraceElement frame) {
    return LAUNCHERS.stream().anyMatch(frame.getClassName()::startsWith);
  }

  private static boolean isLibrary(StackTraceElement frame, Class<?> handle) {
    try {
      @Nullable CodeSource source =
          source(Class.forName(frame.getClassName(), false, LeakTracker.class.getClassLoader()));
      return source != null
          && (Objects.equals(source, source(LeakTracker.class))
              || isBuffer(handle) && Objects.equals(source, source(handle)));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /// True if the handle's class belongs to the buffer module. Any other handle is created by the
  /// program itself, so frames from the code source of its class are shown. A further kind of
  /// handle in another module of this library must be added here.
  private static boolean isBuffer(Class<?> handle) {
    return handle.getName().startsWith("dev.quickwater.buffer.");
  }

  /// Null for classes of the JDK.
  private static @Nullable CodeSource source(Class<?> type) {
    return type.getProtectionDomain().getCodeSource();
  }
}
