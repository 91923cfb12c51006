package dev.quickwater.testsuite.arch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The module descriptors of Quickwater on the class path.
final class Modules {

  static final String PREFIX = "dev.quickwater.";

  private Modules() {}

  /// By module name.
  static Map<String, ModuleDescriptor> all() {
    Map<String, ModuleDescriptor> modules = new TreeMap<>();
    try {
      for (URL url : resources()) {
        try (InputStream in = url.openStream()) {
          ModuleDescriptor module = ModuleDescriptor.read(in);
          if (module.name().startsWith(PREFIX)) {
            modules.put(module.name(), module);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return modules;
  }

  private static List<URL> resources() throws IOException {
    return new ArrayList<>(
        Collections.list(Modules.class.getClassLoader().getResources("module-info.class")));
  }

  /// Packages that every module may use.
  static List<String> exported(ModuleDescriptor module) {
    return module.exports().stream()
        .filter(each -> !each.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .sorted()
        .toList();
  }
}
