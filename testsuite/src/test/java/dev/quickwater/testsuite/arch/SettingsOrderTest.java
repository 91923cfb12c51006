package dev.quickwater.testsuite.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Settings records refer to each other's defaults. Whichever class a program uses first, no
/// default has a component that is null.
final class SettingsOrderTest {

  /// Records with a default.
  private static List<String> names() {
    List<String> names = new ArrayList<>();
    Classes.ALL.stream()
        .filter(type -> type.isRecord() && type.tryGetField("DEFAULT").isPresent())
        .forEach(type -> names.add(type.getName()));
    return names;
  }

  private static URL[] path() throws Exception {
    String both =
        System.getProperty("java.class.path")
            + File.pathSeparator
            + System.getProperty("jdk.module.path", "");
    List<URL> urls = new ArrayList<>();
    for (String entry : both.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        urls.add(new File(entry).toURI().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }

  @Test
  void defaultsAreCompleteWhicheverIsUsedFirst() throws Exception {
    List<String> names = names();
    assertTrue(names.size() > 10, names.toString());
    List<String> faults = new ArrayList<>();
    for (String first : names) {
      try (URLClassLoader loader =
          new URLClassLoader(path(), ClassLoader.getPlatformClassLoader())) {
        Class.forName(first, true, loader);
        for (String name : names) {
          check(Class.forName(name, true, loader), first, faults);
        }
      }
    }
    assertEquals(List.of(), faults);
  }

  private static void check(Class<?> type, String first, List<String> faults) throws Exception {
    if (!Modifier.isPublic(type.getModifiers())) {
      return;
    }
    Object value = type.getField("DEFAULT").get(null);
    for (RecordComponent component : type.getRecordComponents()) {
      boolean mayBeNull =
          component.getAnnotatedType().getAnnotations().length > 0; // @Nullable alone is used
      if (!mayBeNull && component.getAccessor().invoke(value) == null) {
        faults.add(type.getName() + "." + component.getName() + " after " + first);
      }
    }
  }
}
