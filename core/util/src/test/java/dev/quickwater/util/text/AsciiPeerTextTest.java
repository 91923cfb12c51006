package dev.quickwater.util.text;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Texts that a peer has made up.
final class AsciiPeerTextTest {

  /// The hash of any text is keyed so that a peer cannot prepare names that collide; characters
  /// beyond 255 are no way around that.
  @Test
  void textsThatDifferInHighBytesAloneDoNotCollide() {
    Set<Integer> hashes = new HashSet<>();
    Set<Integer> hashesIgnoreCase = new HashSet<>();
    for (int high = 1; high < 0x80; high++) {
      String text = "name" + (char) (high << 8 | 'a');
      hashes.add(AsciiString.hash(text));
      hashesIgnoreCase.add(AsciiString.hashIgnoreCase(text));
    }
    assertTrue(hashes.size() > 120, hashes.size() + " hashes of 127 texts");
    assertTrue(hashesIgnoreCase.size() > 120, hashesIgnoreCase.size() + " hashes of 127 texts");
  }

  /// What fails is logged, and must not look like another line of the log.
  @Test
  void numberThatIsNoneIsNotRepeatedWithItsControlCharacters() {
    AsciiString text = AsciiString.of("1\r\nforged\u001b[2J");
    NumberFormatException e = assertThrows(NumberFormatException.class, text::parseInt);
    assertFalse(
        String.valueOf(e.getMessage()).chars().anyMatch(Character::isISOControl), e::getMessage);
  }
}
