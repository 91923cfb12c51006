package dev.quickwater.testsuite.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The public surface is as `docs/api` lists it: a change of it is seen in review.
///
/// After a change that is meant: `cp testsuite/target/api/*.txt docs/api/`.
final class ApiTest {

  private static final Path LISTED = Repository.ROOT.resolve("docs/api");
  private static final Path BUILT = Path.of("target/api");

  @Test
  void exportedSignaturesAreTheListedOnes() throws IOException {
    Map<String, String> built = new TreeMap<>();
    Modules.all().values().forEach(module -> built.put(module.name(), listing(module)));
    Files.createDirectories(BUILT);
    for (Map.Entry<String, String> module : built.entrySet()) {
      Files.writeString(BUILT.resolve(module.getKey() + ".txt"), module.getValue());
    }
    for (Map.Entry<String, String> module : built.entrySet()) {
      Path listed = LISTED.resolve(module.getKey() + ".txt");
      assertEquals(
          Files.exists(listed) ? Repository.read(listed) : "",
          module.getValue(),
          "the surface of "
              + module.getKey()
              + " is not docs/api; if that is meant: cp testsuite/target/api/*.txt docs/api/");
    }
    assertEquals(
        String.join(" ", built.keySet()), listedModules(), "modules with a listing in docs/api");
  }

  private static String listedModules() throws IOException {
    try (var files = Files.list(LISTED)) {
      return files
          .map(file -> String.valueOf(file.getFileName()).replace(".txt", ""))
          .sorted()
          .collect(Collectors.joining(" "));
    }
  }

  private static String mark(String exported) {
    try {
      return ApiListing.mark(Class.forName(exported + ".package-info").getPackage());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(exported + " has no package-info", e);
    }
  }

  private static String listing(ModuleDescriptor module) {
    StringBuilder text = new StringBuilder("module " + module.name() + "\n");
    module.exports().stream()
        .filter(ModuleDescriptor.Exports::isQualified)
        .map(
            each -> "exports " + each.source() + " to " + each.targets().stream().sorted().toList())
        .sorted()
        .forEach(line -> text.append(line).append('\n'));
    for (String exported : Modules.exported(module)) {
      text.append("\n").append(mark(exported)).append("package ").append(exported).append('\n');
      Classes.ALL.stream()
          .filter(each -> each.getPackageName().equals(exported))
          .map(JavaClass::reflect)
          .filter(ApiListing::isVisible)
          .map(ApiListing::of)
          .sorted()
          .forEach(text::append);
    }
    return text.toString();
  }
}
