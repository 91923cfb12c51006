package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpDate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Entity tags, compressed files, indices and listings.
final class StaticFilesFormsTest {

  private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05.678Z");

  @TempDir Path dir;

  private Path root;
  private RunningServer server;
  private int descriptorsBefore;

  @BeforeEach
  void makeFiles() throws IOException {
    root = Files.createDirectories(dir.resolve("root")).toRealPath();
    write("a.js", "0123456789", MODIFIED);
    write("sub/index.html", "index of sub", MODIFIED);
    Files.createDirectories(root.resolve("plain/inner"));
    write("plain/<b>&\"'.txt", "odd", MODIFIED);
    write("plain/z", "last", MODIFIED);
    write("plain/.hidden", "hidden", MODIFIED);
    Files.writeString(dir.resolve("secret"), "secret");
    start(StaticFilesSettings.DEFAULT);
  }

  private void write(String name, String text, Instant modified) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(modified));
  }

  private void start(StaticFilesSettings settings) throws IOException {
    if (server != null) {
      nothingIsLeft();
    }
    server = Servers.start("auto", StaticFiles.at("/f/", root).with(settings));
    get("a.js");
    Baseline.awaitQuiet(server, Long.MAX_VALUE);
    descriptorsBefore = Baseline.descriptors();
  }

  @AfterEach
  void nothingIsLeft() {
    Baseline.awaitQuiet(server, Long.MAX_VALUE);
    Baseline.await("files closed", () -> Baseline.descriptors() <= descriptorsBefore);
    server.close();
  }

  private Wire.Answer get(String path, String... fields) throws IOException {
    return Wire.get(server, "/f/" + path, fields);
  }

  private static StaticFilesSettings precompressed() {
    return StaticFilesSettings.DEFAULT.withPrecompressed(true);
  }

  @Test
  void fileWithTheTagOfTheClientIsNotSentAgain() throws Exception {
    String tag = get("a.js").field("etag");
    assertTrue(tag.startsWith("\""), tag);
    Wire.Answer same = get("a.js", "If-None-Match: \"x\", " + tag);
    assertEquals(304, same.status());
    assertEquals(tag, same.field("etag"));
    assertEquals(304, get("a.js", "If-None-Match: W/" + tag).status());
    assertEquals(200, get("a.js", "If-None-Match: \"x\"").status());
    assertEquals(200, get("a.js", "If-Match: \"x\", " + tag).status());
    assertEquals(412, get("a.js", "If-Match: W/" + tag).status());
    write("a.js", "9876543210", MODIFIED.plusNanos(1_000_000));
    assertEquals(200, get("a.js", "If-None-Match: " + tag).status());
    assertEquals(412, get("a.js", "If-Match: " + tag).status());
  }

  @Test
  void rangeIsOfTheStateWithTheTag() throws Exception {
    String tag = get("a.js").field("etag");
    Wire.Answer part = get("a.js", "Range: bytes=2-3", "If-Range: " + tag);
    assertEquals(206, part.status());
    assertEquals("23", part.text());
    assertEquals(tag, part.field("etag"));
    assertEquals(200, get("a.js", "Range: bytes=2-3", "If-Range: \"x\"").status());
    write("a.js", "9876543210", MODIFIED.plusNanos(1_000_000));
    assertEquals(200, get("a.js", "Range: bytes=2-3", "If-Range: " + tag).status());
  }

  @Test
  void fileThatWasJustWrittenHasAWeakTagAndNoRangeByIt() throws Exception {
    write("a.js", "0123456789", Instant.now().plusSeconds(60));
    String tag = get("a.js").field("etag");
    assertTrue(tag.startsWith("W/\""), tag);
    assertEquals(304, get("a.js", "If-None-Match: " + tag).status());
    assertEquals(200, get("a.js", "Range: bytes=2-3", "If-Range: " + tag).status());
  }

  @Test
  void cacheControlIsThatOfTheSettings() throws Exception {
    assertEquals("", get("a.js").field("cache-control"));
    start(StaticFilesSettings.DEFAULT.withCacheControl("public, max-age=60"));
    Wire.Answer answer = get("a.js");
    assertEquals("public, max-age=60", answer.field("cache-control"));
    Wire.Answer same = get("a.js", "If-None-Match: " + answer.field("etag"));
    assertEquals("public, max-age=60", same.field("cache-control"));
    assertEquals("", get("none").field("cache-control"));
  }

  @Test
  void compressedFileIsServedToThoseWhoAcceptIt() throws Exception {
    write("a.js.gz", "gz-bytes", MODIFIED);
    write("a.js.br", "br", MODIFIED);
    assertEquals("0123456789", get("a.js", "Accept-Encoding: br").text(), "off by default");
    start(precompressed());
    Wire.Answer plain = get("a.js");
    assertEquals("0123456789", plain.text());
    assertEquals("accept-encoding", plain.field("vary"));
    Wire.Answer gzip = get("a.js", "Accept-Encoding: gzip, deflate, zstd");
    assertEquals("gz-bytes", gzip.text());
    assertEquals("gzip", gzip.field("content-encoding"));
    assertEquals("text/javascript; charset=utf-8", gzip.field("content-type"));
    assertEquals("accept-encoding", gzip.field("vary"));
    assertNotEquals(plain.field("etag"), gzip.field("etag"));
    assertEquals("br", get("a.js", "Accept-Encoding: gzip;q=0.9, br").text());
    assertEquals("gz-bytes", get("a.js", "Accept-Encoding: gzip, br;q=0.9").text());
    assertEquals("0123456789", get("a.js", "Accept-Encoding: gzip;q=0, br;q=0").text());
    Wire.Answer same = get("a.js", "Accept-Encoding: gzip", "If-None-Match: " + gzip.field("etag"));
    assertEquals(304, same.status());
    assertEquals("accept-encoding", same.field("vary"));
    assertEquals("", same.field("content-encoding"));
    assertEquals(200, get("a.js", "If-None-Match: " + gzip.field("etag")).status());
  }

  @Test
  void rangeOfACompressedFileIsOfItsBytes() throws Exception {
    write("a.js.gz", "gz-bytes", MODIFIED);
    start(precompressed());
    String accept = "Accept-Encoding: gzip";
    String tag = get("a.js", accept).field("etag");
    Wire.Answer part = get("a.js", accept, "Range: bytes=3-", "If-Range: " + tag);
    assertEquals("bytes", part.text());
    assertEquals("bytes 3-7/8", part.field("content-range"));
    assertEquals("gzip", part.field("content-encoding"));
    assertEquals(200, get("a.js", "Range: bytes=3-", "If-Range: " + tag).status());
    String date = HttpDate.format(MODIFIED);
    assertEquals(200, get("a.js", accept, "Range: bytes=3-", "If-Range: " + date).status());
  }

  @Test
  void compressedFileBesideADirectoryIsNotItsCompressedForm() throws Exception {
    write("plain.gz", "an archive", Instant.now());
    start(precompressed());
    assertEquals(404, get("plain", "Accept-Encoding: gzip").status());
    assertEquals("an archive", get("plain.gz").text());
  }

  @Test
  void compressedFileThatIsOlderOrLeavesTheRootIsNotServed() throws Exception {
    start(precompressed());
    write("a.js.gz", "old", MODIFIED.minusSeconds(1));
    assertEquals("0123456789", get("a.js", "Accept-Encoding: gzip").text());
    Files.delete(root.resolve("a.js.gz"));
    Files.createSymbolicLink(root.resolve("a.js.gz"), dir.resolve("secret"));
    assertEquals("0123456789", get("a.js", "Accept-Encoding: gzip").text());
    Files.delete(root.resolve("a.js.gz"));
    Files.createDirectory(root.resolve("a.js.gz"));
    assertEquals("0123456789", get("a.js", "Accept-Encoding: gzip").text());
    write("only.gz", "gz", MODIFIED);
    assertEquals(404, get("only", "Accept-Encoding: gzip").status());
  }

  @Test
  void directoryIsItsIndex() throws Exception {
    Wire.Answer index = get("sub/");
    assertEquals("index of sub", index.text());
    assertEquals("text/html; charset=utf-8", index.field("content-type"));
    Wire.Answer redirect = get("sub?q=1");
    assertEquals(308, redirect.status());
    assertEquals("/f/sub/?q=1", redirect.field("location"));
    write("index.html", "top", MODIFIED);
    assertEquals("top", get("").text());
    assertEquals(404, get("plain/").status());
    assertEquals(404, get("plain").status());
    start(StaticFilesSettings.DEFAULT.withIndex(null));
    assertEquals(404, get("sub/").status());
    assertEquals(404, get("sub").status());
  }

  @Test
  void listingIsSortedAndEscaped() throws Exception {
    Files.createSymbolicLink(root.resolve("plain/out"), dir.resolve("secret"));
    Files.createSymbolicLink(root.resolve("plain/in"), root.resolve("a.js"));
    start(StaticFilesSettings.DEFAULT.withMaxListed(100));
    Wire.Answer page = get("plain/");
    assertEquals(200, page.status());
    assertEquals("text/html; charset=utf-8", page.field("content-type"));
    assertTrue(page.field("content-security-policy").contains("default-src 'none'"));
    String text = page.text();
    assertTrue(text.contains("<h1>/f/plain/</h1>"), text);
    assertTrue(text.contains(">&lt;b&gt;&amp;&quot;&#39;.txt</a>"), text);
    assertTrue(text.contains("href=\"./%3cb%3e%26%22%27.txt\""), text);
    assertTrue(text.indexOf("inner/") < text.indexOf("&lt;b") && text.indexOf("&lt;b") > 0, text);
    assertTrue(text.indexOf(">in<") < text.indexOf(">z<") && text.indexOf(">in<") > 0, text);
    assertFalse(text.contains("out") || text.contains("hidden") || text.contains("<b>"), text);
    assertEquals("odd", get("plain/%3cb%3e%26%22%27.txt").text());
    assertEquals("/f/plain/", get("plain").field("location"));
    assertEquals("index of sub", get("sub/").text());
    assertTrue(get("").text().contains("<h1>/f/</h1>"));
  }

  @Test
  void listingIsCut() throws Exception {
    for (int i = 0; i < 30; i++) {
      write("many/" + i, "", MODIFIED);
    }
    start(StaticFilesSettings.DEFAULT.withMaxListed(20));
    String text = get("many/").text();
    assertEquals(20, text.split("<a href=\"\\./", -1).length - 1);
    assertTrue(text.contains("more than 20 entries"), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../", "%2e%2e/", "up/", "sub/../", "none/", "a.js/", "/", "sub//"})
  void listingDoesNotLeaveTheRoot(String path) throws Exception {
    Files.createSymbolicLink(root.resolve("up"), dir);
    start(StaticFilesSettings.DEFAULT.withMaxListed(100));
    assertEquals(404, get(path).status());
  }

  @Test
  void settingsAreChecked() {
    StaticFilesSettings good = StaticFilesSettings.DEFAULT;
    assertThrows(IllegalArgumentException.class, () -> good.withIndex("a/b"));
    assertThrows(IllegalArgumentException.class, () -> good.withIndex(".."));
    assertThrows(IllegalArgumentException.class, () -> good.withCacheControl("a\r\nb: c"));
    assertThrows(IllegalArgumentException.class, () -> good.withMaxListed(-1));
  }
}
