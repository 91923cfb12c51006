package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class StatusFieldTest {

  private static int status(String block) {
    return StatusField.of(HexFormat.of().parseHex(block));
  }

  /// The examples of RFC 7541 appendix C.5 and C.6, and a size update.
  @Test
  void everyFormIsRead() {
    assertEquals(200, status("88"));
    assertEquals(404, status("208d"));
    assertEquals(302, status("4803333032"));
    assertEquals(302, status("488264025885"));
    assertEquals(307, status("4883640eff"));
    assertEquals(431, status("0803343331"));
  }

  @Test
  void otherFieldIsAnError() {
    assertThrows(AssertionError.class, () -> status("8288"));
    assertThrows(AssertionError.class, () -> status("be"));
  }
}
