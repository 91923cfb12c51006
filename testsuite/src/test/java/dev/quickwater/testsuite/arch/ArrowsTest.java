package dev.quickwater.testsuite.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// An arrow between modules points downwards only.
final class ArrowsTest {

  /// Each module with those right below it; what is below those is allowed, too.
  private static final Map<String, List<String>> BELOW = new LinkedHashMap<>();

  static {
    BELOW.put("system", List.of());
    BELOW.put("util", List.of());
    BELOW.put("common", List.of("system"));
    BELOW.put("junit", List.of("common"));
    BELOW.put("buffer", List.of("common"));
    BELOW.put("channel", List.of("buffer", "util"));
    BELOW.put("codec", List.of("channel"));
    BELOW.put("io.posix", List.of("channel"));
    BELOW.put("io.linux", List.of("io.posix"));
    BELOW.put("tls", List.of("channel"));
    BELOW.put("http", List.of("codec", "tls"));
    BELOW.put("http1", List.of("http"));
    BELOW.put("http2", List.of("http"));
    BELOW.put("proxy", List.of("channel"));
    BELOW.put("web", List.of("http1", "http2", "proxy"));
  }

  private static String packages(String module) {
    return "dev.quickwater." + module + "..";
  }

  private static List<String> reachable(String module) {
    List<String> all = new ArrayList<>(List.of(packages(module)));
    for (String below : BELOW.getOrDefault(module, List.of())) {
      all.addAll(reachable(below));
    }
    return all;
  }

  @Test
  void arrowsPointDown() {
    BELOW
        .keySet()
        .forEach(module ->
            noClasses()
                .that()
                .resideInAPackage(packages(module))
                .should()
                .dependOnClassesThat(
                    resideInAPackage("dev.quickwater..")
                        .and(not(resideInAnyPackage(reachable(module).toArray(String[]::new)))))
                .as(module + " depends on nothing but " + reachable(module))
                .allowEmptyShould(true)
                .check(Classes.ALL));
  }

  @Test
  void theRulesSeeClasses() {
    assertTrue(Classes.ALL.contain("dev.quickwater.channel.Channel"));
    assertTrue(Classes.ALL.contain("dev.quickwater.system.Memory"));
  }

  @Test
  void coreNamesNoTransport() {
    noClasses()
        .that()
        .resideInAnyPackage(
            packages("system"),
            packages("util"),
            packages("common"),
            packages("junit"),
            packages("buffer"),
            packages("channel"),
            packages("codec"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(packages("io"))
        .check(Classes.ALL);
  }

  @Test
  void socketsOfTheJdkAreTheNioTransportsAlone() {
    noClasses()
        .that()
        .resideInAPackage("dev.quickwater..")
        .and()
        .resideOutsideOfPackages(
            "dev.quickwater.channel.nio..",
            "dev.quickwater.cli..",
            // the JDK's interfaces of keys and trust have methods for its blocking sockets
            "dev.quickwater.tls.jdk..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.nio\\.channels\\.(Selector|SelectionKey|SocketChannel|ServerSocketChannel"
                + "|DatagramChannel)|java\\.net\\.(Socket|ServerSocket|DatagramSocket)")
        .check(Classes.ALL);
  }

  @Test
  void protocolEnginesKnowNoChannel() {
    noClasses()
        .that()
        .resideInAPackage("dev.quickwater.http1..")
        .and()
        .haveNameMatching(".*\\.\\w*(Parser|Encoder|Decoder|Engine)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(packages("channel"))
        .as("protocol engines take bytes and give events; channels are their handlers' affair")
        .allowEmptyShould(true)
        .check(Classes.ALL);
  }
}
