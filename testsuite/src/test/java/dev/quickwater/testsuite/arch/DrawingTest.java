package dev.quickwater.testsuite.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The drawing of the modules in ARCHITECTURE.md has the arrows of the module declarations.
final class DrawingTest {

  private static final Pattern ARROW = Pattern.compile("(?m)^ *([a-z0-9.]+) --> ([a-z0-9.]+)$");

  /// The drawing leaves out what nearly every module requires.
  private static final String SYSTEM = "system";

  @Test
  void drawingHasTheArrowsOfTheModuleDeclarations() {
    Set<String> declared = new TreeSet<>();
    Modules.all()
        .values()
        .forEach(module ->
            module.requires().stream()
                .filter(required -> required.name().startsWith(Modules.PREFIX))
                .map(required -> shortName(required.name()))
                .filter(required -> !required.equals(SYSTEM))
                .forEach(required -> declared.add(shortName(module.name()) + " --> " + required)));
    assertEquals(String.join("\n", declared), String.join("\n", drawn()));
  }

  private static Set<String> drawn() {
    Set<String> drawn = new TreeSet<>();
    Matcher arrow = ARROW.matcher(Repository.read(Repository.ROOT.resolve("ARCHITECTURE.md")));
    while (arrow.find()) {
      drawn.add(arrow.group(1) + " --> " + arrow.group(2));
    }
    return drawn;
  }

  private static String shortName(String module) {
    return module.substring(Modules.PREFIX.length());
  }
}
