package dev.quickwater.testsuite.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// `./qw docs` names every module. Without one that another requires, it fails.
final class SiteModulesTest {

  private static final Pattern LIST = Pattern.compile("for module in (.+?); do", Pattern.DOTALL);
  private static final Path DECLARATION = Path.of("src/main/java/module-info.java");

  @Test
  void siteHasEveryModuleButTheCommand() {
    Set<String> declared =
        Repository.mainSources().stream()
            .filter(file -> file.endsWith(DECLARATION))
            .map(file -> Repository.ROOT.relativize(file).toString())
            .map(file -> file.substring(0, file.indexOf("/" + DECLARATION)))
            .filter(folder -> !folder.equals("cli"))
            .collect(Collectors.toCollection(TreeSet::new));
    Matcher list = LIST.matcher(Repository.read(Repository.ROOT.resolve("qw")));
    assertTrue(list.find(), "qw has no list of modules");
    assertEquals(
        declared, new TreeSet<>(List.of(list.group(1).replace("\\", "").strip().split("\\s+"))));
  }
}
