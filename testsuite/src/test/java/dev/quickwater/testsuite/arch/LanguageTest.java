package dev.quickwater.testsuite.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The words in the left column of the glossary in CONTRIBUTING.md appear neither in main code nor
/// on pages.
///
/// A line that needs one is listed in `language-allowed.txt` with its file's name and a part of it.
final class LanguageTest {

  private static final String GLOSSARY = "## Glossary";

  /// The first cell of a table's row, if it has code in it.
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*`) \\|");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private record Allowed(String file, String part) {}

  private static List<Pattern> words() {
    String page = Repository.read(Repository.ROOT.resolve("CONTRIBUTING.md"));
    List<Pattern> words = new ArrayList<>();
    Matcher row = ROW.matcher(page.substring(page.indexOf(GLOSSARY)));
    while (row.find()) {
      Matcher code = CODE.matcher(row.group(1));
      while (code.find()) {
        words.add(pattern(code.group(1)));
      }
    }
    return words;
  }

  /// A word in any case, as a whole; `...` stands for the rest of an identifier.
  private static Pattern pattern(String word) {
    if (word.endsWith("...")) {
      String start = word.substring(0, word.length() - 3);
      return Pattern.compile("\\b" + Pattern.quote(start) + "[A-Z]\\w*");
    }
    return Pattern.compile("(?i)\\b" + Pattern.quote(word) + "\\b");
  }

  private static List<Allowed> allowed() {
    String list =
        Repository.read(
            Repository.ROOT.resolve("testsuite/src/test/resources/language-allowed.txt"));
    return list.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(": ", 2))
        .map(parts -> new Allowed(parts[0], parts[1]))
        .toList();
  }

  @Test
  void wordsOfTheGlossarysLeftColumnAreNotUsed() {
    List<Pattern> words = words();
    List<Allowed> allowed = allowed();
    Set<Allowed> used = new LinkedHashSet<>();
    List<String> found = new ArrayList<>();
    Stream.concat(Repository.mainSources().stream(), Repository.pages().stream())
        .forEach(file -> check(file, words, allowed, used, found));
    assertTrue(found.isEmpty(), () -> found.size() + " lines\n" + String.join("\n", found));
    List<Allowed> unused = new ArrayList<>(allowed);
    unused.removeAll(used);
    assertEquals(List.of(), unused, "entries of language-allowed.txt that nothing needs");
  }

  private static void check(
      Path file,
      List<Pattern> words,
      List<Allowed> allowed,
      Set<Allowed> used,
      List<String> found) {
    String name = String.valueOf(file.getFileName());
    String text = Repository.read(file);
    int glossary = name.equals("CONTRIBUTING.md") ? text.indexOf(GLOSSARY) : text.length();
    int number = 0;
    for (String line : text.substring(0, glossary).split("\n")) {
      number++;
      for (Pattern word : words) {
        Matcher match = word.matcher(line);
        if (match.find() && !isAllowed(name, line, allowed, used)) {
          found.add(
              Repository.ROOT.relativize(file)
                  + ":"
                  + number
                  + ": \""
                  + match.group()
                  + "\" in: "
                  + line.strip());
        }
      }
    }
  }

  private static boolean isAllowed(
      String name, String line, List<Allowed> allowed, Set<Allowed> used) {
    for (Allowed entry : allowed) {
      if (entry.file().equals(name) && line.contains(entry.part())) {
        used.add(entry);
        return true;
      }
    }
    return false;
  }

  @Test
  void wordsMatchAsAWholeInAnyCase() {
    assertTrue(words().size() > 20, "the glossary is found");
    assertTrue(pattern("goes on").matcher("the loop Goes on").find());
    assertFalse(pattern("mend").matcher("recommended").find());
    assertTrue(pattern("most...").matcher("int mostFields").find());
    assertFalse(pattern("most...").matcher("almostFull, most fields").find());
    assertTrue(pattern("MOST_...").matcher("MOST_FIELDS").find());
  }
}
