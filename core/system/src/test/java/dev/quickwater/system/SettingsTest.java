package dev.quickwater.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  static final class Print {
    public static void main(String[] args) {
      System.out.println(
          Settings.NATIVE_ALLOWED
              + " "
              + Settings.LEAK_LEVEL
              + " "
              + Settings.BUFFER_LIMIT
              + " "
              + NativeAccess.enabled()
              + " "
              + NativeAccess.reason());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "dev.quickwater.nativeAccess, maybe, expected auto or off",
    "dev.quickwater.bufferLimit, 10MB, expected a number of bytes",
    "dev.quickwater.bufferLimit, 1000, at least 1048576",
  })
  void badValueStopsWithTheNameOfTheProperty(String property, String value, String expected)
      throws Exception {
    ChildJvm child = ChildJvm.run(Print.class, "-D" + property + "=" + value);
    assertNotEquals(0, child.exit());
    assertTrue(child.err().contains(property + " is '" + value + "'"), child.err());
    assertTrue(child.err().contains(expected), child.err());
  }

  @Test
  void defaultsAreAutoSimpleAndTheHeapSize() throws Exception {
    ChildJvm child = ChildJvm.run(Print.class);
    assertTrue(child.out().startsWith("true simple "), child.out());
    assertTrue(child.out().contains(" false native access is not granted"), child.out());
    assertTrue(child.out().contains("--enable-native-access=ALL-UNNAMED"), child.out());
    assertEquals("", child.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "OFF", " off "})
  void nativeAccessCanBeSwitchedOffWhereItIsGranted(String value) throws Exception {
    ChildJvm child =
        ChildJvm.run(
            Print.class,
            "--enable-native-access=ALL-UNNAMED",
            "-Ddev.quickwater.nativeAccess=" + value,
            "-Ddev.quickwater.bufferLimit=1048576");
    assertEquals(
        "false simple 1048576 false"
            + " native access is switched off by -Ddev.quickwater.nativeAccess=off",
        child.out().strip());
  }

  @Test
  void nativeAccessIsUsedWhereItIsGranted() throws Exception {
    ChildJvm child = ChildJvm.run(Print.class, "--enable-native-access=ALL-UNNAMED");
    assertTrue(child.out().endsWith(" true native access is granted\n"), child.out());
    assertEquals("", child.err());
  }
}
