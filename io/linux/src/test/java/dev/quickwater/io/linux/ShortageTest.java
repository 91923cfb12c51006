package dev.quickwater.io.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/// What sockets do when memory runs out, in processes that have little.
final class ShortageTest {

  private static final String ACCESS = "--enable-native-access=ALL-UNNAMED";

  @Test
  void acceptedSocketIsClosedIfTheHeapIsFullWhileItsAddressIsRead() throws Exception {
    ChildJvm child = ChildJvm.run(AcceptFaults.class, ACCESS, "-Xmx16m", "-XX:-UseTLAB");
    assertEquals(0, child.exit(), child::err);
    assertTrue(
        child.out().matches("[1-9]\\d* failed, 0 descriptors lost\n"),
        () -> child.out() + child.err());
  }
}
