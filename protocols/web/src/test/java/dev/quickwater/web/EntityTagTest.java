package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// RFC 9110 section 8.8.3.
final class EntityTagTest {

  private static final EntityTag STRONG = new EntityTag("a,b", false);
  private static final EntityTag WEAK = new EntityTag("a,b", true);
  private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05.000000001Z");
  private static final Instant LATER = MODIFIED.plusSeconds(10);

  @Test
  void listsOfTagsAreSearched() {
    for (String list :
        List.of(
            "\"a,b\"",
            "\"x\", \"a,b\"",
            "\"x\",\"a,b\" , \"y\"",
            ",, \"a,b\"",
            "\"\"\t,\"a,b\"",
            "W/\"x\", \"a,b\", broken")) {
      assertTrue(STRONG.isIn(List.of(list), true), list);
      assertTrue(STRONG.isIn(List.of("\"z\"", list), false), list);
    }
    for (String list :
        List.of("", "a,b", "\"a\"", "\"a,b", "*", "broken, \"a,b\"", "w/\"a,b\"", "\"A,B\"")) {
      assertFalse(STRONG.isIn(List.of(list), false), list);
    }
    assertFalse(STRONG.isIn(List.of("\"".repeat(100_001)), false));
  }

  @Test
  void weakTagsMatchWhereTheComparisonIsWeakAlone() {
    assertTrue(STRONG.isIn(List.of("W/\"a,b\""), false));
    assertFalse(STRONG.isIn(List.of("W/\"a,b\""), true));
    assertTrue(WEAK.isIn(List.of("\"a,b\""), false));
    assertFalse(WEAK.isIn(List.of("\"a,b\"", "W/\"a,b\""), true));
    assertTrue(STRONG.isStrongly("\"a,b\""));
    assertFalse(WEAK.isStrongly("W/\"a,b\""));
    assertFalse(WEAK.isStrongly("\"a,b\""));
  }

  private static EntityTag tag(Path file, Instant now) throws IOException {
    return EntityTag.of(Files.readAttributes(file, BasicFileAttributes.class), now);
  }

  @Test
  void sizeTimeAndIdentityChangeTheTag(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("a"), "one");
    Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
    EntityTag first = tag(file, LATER);
    assertEquals(first, tag(file, LATER));
    assertTrue(first.toString().matches("\"[0-9a-f.-]+\""), first.toString());
    Files.setLastModifiedTime(file, FileTime.from(MODIFIED.plusNanos(1)));
    assertNotEquals(first, tag(file, LATER));
    Files.writeString(file, "four");
    Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
    assertNotEquals(first, tag(file, LATER));
    Path other = Files.writeString(dir.resolve("b"), "two");
    Files.setLastModifiedTime(other, FileTime.from(MODIFIED));
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    assertNotEquals(first, tag(file, LATER), "same size and time, another file");
  }

  @Test
  void fileThatWasJustModifiedHasAWeakTag(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("a"), "one");
    Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
    assertTrue(tag(file, MODIFIED.plusMillis(1999)).weak());
    assertFalse(tag(file, MODIFIED.plusMillis(2000)).weak());
    assertEquals(tag(file, MODIFIED).opaque(), tag(file, LATER).opaque());
  }
}
