package dev.quickwater.system;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The memory limit of the control groups that this process is in, as containers set it.
///
/// Reads at most [#LONGEST] bytes of a few files of the kernel, once, when a default is needed. The
/// limit of a group holds for the groups inside of it, so the least one on the way up counts.
final class ContainerMemory {

  private static final int LONGEST = 4096;

  private static final Path GROUPS = Path.of("/proc/self/cgroup");
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");

  private ContainerMemory() {}

  /// Bytes, or [Long#MAX_VALUE] where nothing limits the process or the system has no such groups.
  static long limit() {
    return Platform.LINUX ? limit(GROUPS, MOUNT) : Long.MAX_VALUE;
  }

  /// The limit by a list of groups as in `/proc/self/cgroup`, whose lines are
  /// `number:controllers:path`, and the place where groups are mounted; versions 1 and 2.
  static long limit(Path groups, Path mount) {
    long least = Long.MAX_VALUE;
    @Nullable String lines = read(groups);
    if (lines == null) {
      return least;
    }
    for (String line : lines.split("\n", 0)) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3 || parts[2].contains("..")) {
        continue;
      }
      if (parts[1].isEmpty()) {
        least = Math.min(least, upwards(mount, parts[2], "memory.max"));
      } else if (parts[1].equals("memory")) {
        least =
            Math.min(least, upwards(mount.resolve("memory"), parts[2], "memory.limit_in_bytes"));
      }
    }
    return least;
  }

  private static long upwards(Path root, String group, String file) {
    long least = Long.MAX_VALUE;
    // A container often sees its own group as the root, whatever the path says.
    Path at = root.resolve(group.substring(group.startsWith("/") ? 1 : 0)).normalize();
    while (at != null && at.startsWith(root)) {
      least = Math.min(least, number(read(at.resolve(file))));
      at = at.getParent();
    }
    return least;
  }

  private static long number(@Nullable String text) {
    try {
      return text == null ? Long.MAX_VALUE : Long.parseLong(text.strip());
    } catch (NumberFormatException _) { // "max"
      return Long.MAX_VALUE;
    }
  }

  private static @Nullable String read(Path file) {
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      return new String(in.readNBytes(LONGEST), StandardCharsets.US_ASCII);
    } catch (IOException _) {
      return null; // there is no such group
    }
  }
}
