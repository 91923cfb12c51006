package dev.quickwater.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerMemoryTest {

  private static final long MB = 1 << 20;

  @TempDir private Path directory;
  private Path groups;
  private Path mount;

  @BeforeEach
  void emptyMount() throws Exception {
    groups = directory.resolve("cgroup");
    mount = Files.createDirectory(directory.resolve("mount"));
  }

  private void group(String path, String file, String value) throws Exception {
    Path at = Files.createDirectories(mount.resolve(path));
    Files.writeString(at.resolve(file), value + "\n");
  }

  private long limit(String lines) throws Exception {
    Files.writeString(groups, lines);
    return ContainerMemory.limit(groups, mount);
  }

  @Test
  void leastLimitOnTheWayUpCounts() throws Exception {
    group("a", "memory.max", "" + 512 * MB);
    group("a/b", "memory.max", "max");
    group("a/b/c", "memory.max", "" + 768 * MB);
    assertEquals(512 * MB, limit("0::/a/b/c\n"));
  }

  @Test
  void containerThatSeesItsGroupAsTheRootIsLimitedByIt() throws Exception {
    group(".", "memory.max", "" + 256 * MB);
    assertEquals(256 * MB, limit("0::/not/visible/here\n"));
    assertEquals(256 * MB, limit("0::/\n"));
  }

  @Test
  void firstVersionOfGroupsCounts() throws Exception {
    group("memory/x", "memory.limit_in_bytes", "" + 128 * MB);
    assertEquals(128 * MB, limit("5:cpu:/\n4:memory:/x\n0::/\n"));
  }

  @Test
  void dotsInANameAreNoWayOut() throws Exception {
    group("a..b", "memory.max", "" + 64 * MB);
    assertEquals(64 * MB, limit("0::/a..b\n"));
  }

  @Test
  void controllersThatAreMountedTogetherCount() throws Exception {
    group("cpu,memory/x", "memory.limit_in_bytes", "" + 96 * MB);
    assertEquals(96 * MB, limit("4:cpu,memory:/x\n"));
  }

  @Test
  void memoryIsFoundInALongList() throws Exception {
    group("memory/x", "memory.limit_in_bytes", "" + 96 * MB);
    assertEquals(96 * MB, limit("9:name=n:/long\n".repeat(500) + "4:memory:/x\n"));
  }

  @Test
  void groupOutsideOfWhatIsSeenIsLimitedByTheRoot() throws Exception {
    group(".", "memory.max", "" + 32 * MB);
    assertEquals(32 * MB, limit("0::/../outer\n"));
    assertEquals(32 * MB, limit("0::/a\0b\n"));
  }

  @Test
  void nothingLimitsWhereThereAreNoGroupsOrNoNumbers() throws Exception {
    assertEquals(Long.MAX_VALUE, ContainerMemory.limit(directory.resolve("none"), mount));
    group("a", "memory.max", "max");
    assertEquals(Long.MAX_VALUE, limit("0::/a\n"));
    assertEquals(Long.MAX_VALUE, limit("nonsense\n0::/../../a\n"));
  }

  @Test
  void defaultLeavesTheContainerItsHeap() {
    assertEquals(256 * MB, Settings.withinContainer(256 * MB, Long.MAX_VALUE));
    assertEquals(256 * MB, Settings.withinContainer(256 * MB, 1024 * MB));
    assertEquals(300 * MB, Settings.withinContainer(700 * MB, 1000 * MB));
    assertEquals(125 * MB, Settings.withinContainer(990 * MB, 1000 * MB));
  }
}
