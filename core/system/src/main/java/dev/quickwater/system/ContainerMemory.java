package dev.quickwater.system;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The memory limit of the control groups of this process, as containers set it.
///
/// Reads at most [#MAX_BYTES] bytes of a few kernel files, once, when a default is needed. The
/// limit of a group also applies to the groups inside it, so the lowest limit of the group and its
/// ancestors counts.
final class ContainerMemory {

  private static final int MAX_BYTES = 64 << 10;

  private static final Path GROUPS = Path.of("/proc/self/cgroup");
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");

  private ContainerMemory() {}

  /// Bytes, or [Long#MAX_VALUE] if nothing limits the process or the system has no control groups.
  static long limit() {
    return Platform.LINUX ? limit(GROUPS, MOUNT) : Long.MAX_VALUE;
  }

  /// The limit from a list of groups in the format of `/proc/self/cgroup` (lines of
  /// `number:controllers:path`) and from the directory where groups are mounted; versions 1 and 2.
  static long limit(Path groups, Path mount) {
    long least = Long.MAX_VALUE;
    @Nullable String lines = read(groups);
    if (lines == null) {
      return least;
    }
    for (String line : lines.split("\n", 0)) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      if (parts[1].isEmpty()) {
        least = Math.min(least, upwards(mount, parts[2], "memory.max"));
      } else if (List.of(parts[1].split(",", -1)).contains("memory")) {
        // Several controllers may be mounted together, under all their names or under each.
        for (String name : List.of(parts[1], "memory")) {
          least = Math.min(least, upwards(mount.resolve(name), parts[2], "memory.limit_in_bytes"));
        }
      }
    }
    return least;
  }

  private static long upwards(Path root, String group, String file) {
    long least = Long.MAX_VALUE;
    Path at = inside(root, group);
    while (at != null && at.startsWith(root)) {
      least = Math.min(least, number(read(at.resolve(file))));
      at = at.getParent();
    }
    return least;
  }

  /// The directory of a group. It is the root for a group that the process does not see, and for a
  /// name that the JVM cannot turn into a path. A container often sees its group as the root.
  private static Path inside(Path root, String group) {
    try {
      Path at = root.resolve(group.substring(group.startsWith("/") ? 1 : 0)).normalize();
      return at.startsWith(root) ? at : root;
    } catch (InvalidPathException _) {
      return root;
    }
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
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return null; // there is no such group
    }
  }
}
