package dev.quickwater.io.posix.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/// The memory of datagram sockets in a process that has little.
final class DatagramShortageTest {

  private static final String ACCESS = "--enable-native-access=ALL-UNNAMED";

  @Test
  void datagramMemoryThatIsAllocatedHalfwayIsReleased() throws Exception {
    ChildJvm child =
        ChildJvm.run(DatagramMemoryFaults.class, ACCESS, "-Ddev.quickwater.bufferLimit=1048576");
    assertEquals(0, child.exit(), child::err);
    assertEquals("0 bytes stay in use\n", child.out(), child::err);
  }
}
