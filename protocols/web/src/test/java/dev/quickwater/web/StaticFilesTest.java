package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"nio", "epoll"})
final class StaticFilesTest {

  private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final String MODIFIED_TEXT =
      HttpDate.format(Instant.parse("2026-01-02T03:04:05Z"));

  private final String transport;

  @TempDir Path dir;

  private RunningServer server;
  private long usedBefore;
  private int descriptorsBefore;

  StaticFilesTest(String transport) {
    this.transport = transport;
  }

  @BeforeEach
  void start() throws IOException {
    Path root = Files.createDirectories(dir.resolve("root/sub"));
    Files.writeString(root.resolve("deep.css"), "deep");
    root = root.getParent();
    Files.writeString(root.resolve("a.txt"), "0123456789");
    Files.setLastModifiedTime(root.resolve("a.txt"), FileTime.from(MODIFIED));
    Files.writeString(root.resolve("with space.html"), "space");
    Files.write(root.resolve("empty"), new byte[0]);
    Files.writeString(dir.resolve("secret"), "secret");
    server = Servers.start(transport, StaticFiles.at("/files/", root));
    Wire.get(server, "/files/a.txt");
    Baseline.awaitQuiet(server, Long.MAX_VALUE);
    usedBefore = server.usedBytes();
    descriptorsBefore = Baseline.descriptors();
  }

  @AfterEach
  void nothingIsLeft() {
    Baseline.awaitQuiet(server, usedBefore);
    Baseline.await("files closed", () -> Baseline.descriptors() <= descriptorsBefore);
    server.close();
  }

  private Wire.Answer get(String path, String... fields) throws IOException {
    return Wire.get(server, "/files/" + path, fields);
  }

  @Test
  void fileWhoseLengthAFilterRemovesIsSent() throws IOException {
    StaticFiles files = StaticFiles.at("/files/", dir.resolve("root"));
    HttpHandler handler =
        x -> {
          x.onRespond(head -> head.withLength(ResponseHead.UNKNOWN_LENGTH));
          files.handle(x);
        };
    try (RunningServer filtered = Servers.start(transport, handler)) {
      assertEquals("0123456789", Wire.get(filtered, "/files/a.txt").text());
    }
  }

  @Test
  void filesAreServedWithTheirType() throws Exception {
    Wire.Answer answer = get("a.txt");
    assertEquals("0123456789", answer.text());
    assertEquals("text/plain; charset=utf-8", answer.field("content-type"));
    assertEquals(MODIFIED_TEXT, answer.field("last-modified"));
    assertEquals("text/css; charset=utf-8", get("sub/deep.css").field("content-type"));
    assertEquals("space", get("with%20space.html?query").text());
  }

  @Test
  void manyFilesPassOneConnection() throws Exception {
    try (Wire wire = new Wire(server)) {
      wire.send("GET /files/a.txt HTTP/1.1\r\nHost:\r\n\r\n".repeat(200));
      for (int i = 0; i < 200; i++) {
        assertEquals("0123456789", wire.answer().text());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret",
        "..",
        ".",
        "",
        "sub/",
        "sub",
        "/",
        "//a.txt",
        "sub/../a.txt",
        "%2e%2e/secret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "..%5csecret",
        "..\\secret",
        "sub/..%2f..%2fsecret",
        "%c0%ae%c0%ae/secret",
        "a.txt%00",
        "a.txt%00.html",
        "a.txt/",
        "a.txt/x",
        "%2fetc%2fpasswd",
        "/etc/passwd",
        "none",
        "....//secret",
        "a.txt%",
        "%%32%65"
      })
  void nothingElseIsServed(String path) throws Exception {
    Wire.Answer answer = get(path);
    assertEquals(404, answer.status());
    assertEquals("no such file\n", answer.text());
  }

  @Test
  void linksOutOfTheRootAreNotFollowed() throws Exception {
    Path root = dir.resolve("root");
    Files.createSymbolicLink(root.resolve("link"), dir.resolve("secret"));
    Files.createSymbolicLink(root.resolve("up"), dir);
    Files.createSymbolicLink(root.resolve("dangling"), dir.resolve("none"));
    Files.createSymbolicLink(root.resolve("self"), root.resolve("self"));
    for (String path : new String[] {"link", "up/secret", "dangling", "self", "up"}) {
      assertEquals(404, get(path).status(), path);
    }
  }

  @Test
  void directoryBesideTheRootWithItsNameAsPrefixIsOutside() throws Exception {
    Files.createDirectories(dir.resolve("root-other"));
    Files.writeString(dir.resolve("root-other/secret"), "secret");
    Files.createSymbolicLink(dir.resolve("root/o"), dir.resolve("root-other"));
    assertEquals(404, get("o/secret").status());
  }

  @Test
  void linksInsideOfTheRootAreFollowed() throws Exception {
    Files.createSymbolicLink(dir.resolve("root/link"), dir.resolve("root/a.txt"));
    assertEquals("0123456789", get("link").text());
  }

  @Test
  void pipesAndUnreadableFilesAreNotServed() throws Exception {
    Path pipe = dir.resolve("root/pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertEquals(404, get("pipe").status());
  }

  @Test
  void rangesAreServed() throws Exception {
    Wire.Answer answer = get("a.txt", "Range: bytes=2-4");
    assertEquals(206, answer.status());
    assertEquals("234", answer.text());
    assertEquals("bytes 2-4/10", answer.field("content-range"));
    assertEquals("89", get("a.txt", "Range: bytes=-2").text());
    assertEquals(200, get("a.txt", "Range: bytes=0-1,4-5").status());
    Wire.Answer outside = get("a.txt", "Range: bytes=10-");
    assertEquals(416, outside.status());
    assertEquals("bytes */10", outside.field("content-range"));
  }

  @Test
  void headHasTheLengthAndNoRange() throws Exception {
    Wire.Answer answer = Wire.ask(server, "HEAD", "/files/a.txt", "Range: bytes=0-0");
    assertEquals(200, answer.status());
    assertEquals("10", answer.field("content-length"));
  }

  @Test
  void otherMethodsAreNotAllowed() throws Exception {
    Wire.Answer answer = Wire.ask(server, "DELETE", "/files/a.txt");
    assertEquals(405, answer.status());
    assertEquals("GET, HEAD", answer.field("allow"));
  }

  @Test
  void unchangedFileIsNotSentAgain() throws Exception {
    assertEquals(304, get("a.txt", "If-Modified-Since: " + MODIFIED_TEXT).status());
    assertEquals(304, get("a.txt", "If-Modified-Since: Fri, 02 Jan 2026 03:04:06 GMT").status());
    assertEquals(200, get("a.txt", "If-Modified-Since: Fri, 02 Jan 2026 03:04:04 GMT").status());
    assertEquals(200, get("a.txt", "If-Modified-Since: nonsense").status());
    assertEquals(
        200, get("a.txt", "If-Modified-Since: " + MODIFIED_TEXT, "If-None-Match: x").status());
  }

  /// RFC 9110 section 13.1.3: a field with several members is ignored.
  @Test
  void repeatedIfModifiedSinceIsIgnored() throws Exception {
    String since = "If-Modified-Since: " + MODIFIED_TEXT;
    String earlier = "If-Modified-Since: Fri, 02 Jan 2026 03:04:04 GMT";
    assertEquals(200, get("a.txt", since, since).status());
    assertEquals(200, get("a.txt", since, earlier).status());
    assertEquals(200, get("a.txt", earlier, since).status());
  }

  /// RFC 9110 section 13.1.2: a star must be the whole value; other values are a list of tags.
  @Test
  void ifNoneMatchIsAStarOrAList() throws Exception {
    String since = "If-Modified-Since: " + MODIFIED_TEXT;
    assertEquals(304, get("a.txt", "If-None-Match: *").status());
    assertEquals(304, get("a.txt", "If-None-Match: *", since, since).status());
    assertEquals(200, get("a.txt", "If-None-Match: *", "If-None-Match: \"x\"").status());
    assertEquals(200, get("a.txt", "If-None-Match: \"x\"", "If-None-Match: *", since).status());
    assertEquals(200, get("a.txt", "If-None-Match: \"x\", \"y\"", since).status());
    assertEquals(200, get("a.txt", "If-None-Match:", since).status());
  }

  /// RFC 9110 section 13.1.4: a resumed download does not mix two states of a file.
  @Test
  void fileThatWasModifiedFailsTheCondition() throws Exception {
    String same = "If-Unmodified-Since: " + MODIFIED_TEXT;
    String earlier = "If-Unmodified-Since: Fri, 02 Jan 2026 03:04:04 GMT";
    String range = "Range: bytes=2-4";
    assertEquals(206, get("a.txt", range, same).status());
    assertEquals(412, get("a.txt", range, earlier).status());
    assertEquals(412, get("a.txt", earlier, "If-None-Match: *").status());
    assertEquals(200, get("a.txt", "If-Unmodified-Since: nonsense").status());
    assertEquals(200, get("a.txt", earlier, earlier).status());
    assertEquals(404, get("none.txt", earlier).status());
  }

  /// RFC 9110 section 13.1.1: there are no tags, so only a star can match.
  @Test
  void ifMatchIsAStarOrFails() throws Exception {
    String earlier = "If-Unmodified-Since: Fri, 02 Jan 2026 03:04:04 GMT";
    assertEquals(200, get("a.txt", "If-Match: *").status());
    assertEquals(200, get("a.txt", "If-Match: *", earlier).status());
    assertEquals(304, get("a.txt", "If-Match: *", "If-None-Match: *").status());
    assertEquals(412, get("a.txt", "If-Match: \"x\"").status());
    assertEquals(412, get("a.txt", "If-Match: *", "If-Match: \"x\"").status());
  }

  /// If fields are repeated, neither the range nor the condition is clear (RFC 9110 section 5.3).
  @Test
  void repeatedRangeOrItsConditionIsAnsweredWithTheWhole() throws Exception {
    String range = "Range: bytes=2-4";
    String same = "If-Range: " + MODIFIED_TEXT;
    assertEquals(206, get("a.txt", range).status());
    assertEquals(200, get("a.txt", range, range).status());
    assertEquals(200, get("a.txt", range, same, same).status());
  }

  /// The Date of the response is that of the loop's turn, which may have begun a second before.
  @Test
  void fileOfTheFutureWasModifiedNow() throws Exception {
    Instant future = Instant.parse("2199-01-02T03:04:05Z");
    Files.setLastModifiedTime(dir.resolve("root/a.txt"), FileTime.from(future));
    Wire.Answer answer = get("a.txt");
    @Nullable Instant date = HttpDate.parse(String.valueOf(answer.field("date")));
    @Nullable Instant modified = HttpDate.parse(String.valueOf(answer.field("last-modified")));
    assertNotNull(date);
    assertNotNull(modified);
    assertFalse(modified.isAfter(date.plusSeconds(1)), modified + " after " + date);
    String since = "If-Modified-Since: " + HttpDate.format(modified);
    assertEquals(200, get("a.txt", since).status(), "it is going to change");
  }

  @Test
  void emptyFileIsServed() throws Exception {
    Wire.Answer answer = get("empty");
    assertEquals(200, answer.status());
    assertEquals("0", answer.field("content-length"));
    assertEquals(200, get("empty", "Range: bytes=-5").status());
    assertEquals(416, get("empty", "Range: bytes=0-").status());
  }

  private void sparse(String name, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(dir.resolve("root/" + name).toFile(), "rw")) {
      file.setLength(length);
      file.seek(length - 3);
      file.writeBytes("end");
    }
  }

  @Test
  void hugeFileIsServedWithoutBeingHeld() throws Exception {
    sparse("huge", 5L << 30);
    assertEquals("end", get("huge", "Range: bytes=-3").text());
    assertEquals("\0".repeat(10), get("huge", "Range: bytes=4999999990-4999999999").text());
    try (Wire wire = new Wire(server)) {
      wire.send("GET /files/huge HTTP/1.1\r\nHost:\r\nRange: bytes=-300000000\r\n\r\n");
      assertTrue(wire.head().contains("content-length: 300000000\r\n"));
      for (int left = 300_000_000; left > 0; left -= 1_000_000) {
        wire.bytes(1_000_000);
        if (left % 100_000_000 == 0) {
          assertTrue(server.usedBytes() - usedBefore < 1 << 20, server.usedBytes() + " held");
        }
      }
    }
  }

  @Test
  void downloadThatIsCutOffClosesTheFile() throws Exception {
    sparse("huge", 1L << 30);
    for (int i = 0; i < 10; i++) {
      try (Wire wire = new Wire(server)) {
        wire.send("GET /files/huge HTTP/1.1\r\nHost:\r\n\r\n").head();
        wire.bytes(1000);
      }
    }
  }

  @Test
  void fileThatShrinksBreaksTheConnection() throws Exception {
    sparse("shrinking", 1L << 30);
    try (Wire wire = new Wire(server)) {
      wire.send("GET /files/shrinking HTTP/1.1\r\nHost:\r\n\r\n").head();
      wire.bytes(1000);
      try (RandomAccessFile file =
          new RandomAccessFile(dir.resolve("root/shrinking").toFile(), "rw")) {
        file.setLength(2000);
      }
      long count;
      try {
        count = wire.countToEnd();
      } catch (java.net.SocketException _) {
        count = 0; // reset
      }
      assertTrue(count < 1L << 30);
    }
  }

  @Test
  void onlyDirectoriesCanBeServed() {
    assertThrows(IOException.class, () -> StaticFiles.at("/", dir.resolve("none")));
    assertThrows(NotDirectoryException.class, () -> StaticFiles.at("/", dir.resolve("secret")));
    assertThrows(IllegalArgumentException.class, () -> StaticFiles.at("files/", dir));
    assertThrows(IllegalArgumentException.class, () -> StaticFiles.at("/files", dir));
  }

  /// A folder that alternates between itself and a link out of the root, while files in it are
  /// fetched: nothing outside of the root is ever served.
  @Test
  void folderThatIsReplacedByALinkDoesNotLeadOut() throws Exception {
    Path root = dir.resolve("root");
    Path inside = Files.createDirectories(root.resolve("swap"));
    Files.writeString(inside.resolve("f"), "inside");
    Path outside = Files.createDirectories(dir.resolve("outside"));
    Files.writeString(outside.resolve("f"), "secret");
    Path aside = dir.resolve("aside");
    AtomicBoolean done = new AtomicBoolean();
    Thread swapper =
        Thread.ofPlatform()
            .start(() -> {
              try {
                while (!done.get()) {
                  Files.move(inside, aside);
                  Files.createSymbolicLink(inside, outside);
                  Files.delete(inside);
                  Files.move(aside, inside);
                }
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    int served = 0;
    try (Wire wire = new Wire(server)) {
      for (int i = 0; i < 3000; i++) {
        Wire.Answer answer = wire.send("GET /files/swap/f HTTP/1.1\r\nHost: a\r\n\r\n").answer();
        assertFalse(answer.text().contains("secret"));
        served += answer.status() == 200 ? 1 : 0;
      }
    } finally {
      done.set(true);
      swapper.join();
    }
    assertTrue(served > 0, "never served");
  }
}
