package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The pages of the guide quote code that exists and link to pages that exist. The full suite makes
/// the site itself.
final class GuideTest {

  private static final Path EXAMPLES = Path.of("../examples/src").toAbsolutePath().normalize();
  private static final Path OVERVIEW = EXAMPLES.resolve("main/java/overview.md");
  private static final Path GUIDE = EXAMPLES.resolve("main/java/dev/quickwater/examples/doc-files");

  private static final Pattern SNIPPET =
      Pattern.compile("\\{@snippet class=([\\w.]+)(?: region=(\\w+))?}");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#]*)\\.html\\)");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> pages = Files.list(GUIDE)) {
      return pages.sorted().toList();
    }
  }

  private static String source(String className) throws IOException {
    for (String root : List.of("main/java/", "test/java/")) {
      Path file = EXAMPLES.resolve(root + className.replace('.', '/') + ".java");
      if (Files.exists(file)) {
        return Files.readString(file);
      }
    }
    throw new AssertionError("no source of " + className);
  }

  @Test
  void quotedRegionsExist() throws IOException {
    int quoted = 0;
    for (Path page : pages()) {
      Matcher snippet = SNIPPET.matcher(Files.readString(page));
      while (snippet.find()) {
        String source = source(snippet.group(1));
        String region = snippet.group(2);
        assertTrue(
            region == null || source.contains("// @start region=" + region + "\n"),
            () -> page + " quotes region " + region);
        quoted++;
      }
    }
    assertTrue(quoted > 10, quoted + " quotes");
  }

  @Test
  void codeOfPagesIsQuotedFromTheExamples() throws IOException {
    for (Path page : pages()) {
      assertTrue(
          !Files.readString(page).contains("```java"), page + " has Java that no test compiles");
    }
  }

  @Test
  void linkedPagesExist() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      links(page).stream()
          .filter(link -> !Files.exists(GUIDE.resolve(link + ".md")))
          .forEach(link -> missing.add(page + " links to " + link));
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void overviewLinksToEveryPage() throws IOException {
    String prefix = "dev.quickwater.examples/dev/quickwater/examples/doc-files/";
    List<String> linked =
        links(OVERVIEW).stream().map(link -> link.replace(prefix, "") + ".md").sorted().toList();
    assertEquals(pages().stream().map(page -> String.valueOf(page.getFileName())).toList(), linked);
  }

  private static List<String> links(Path page) throws IOException {
    Matcher link = LINK.matcher(Files.readString(page));
    List<String> links = new ArrayList<>();
    while (link.find()) {
      links.add(link.group(1));
    }
    return links;
  }
}
