package dev.quickwater.testsuite.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The README's first server, as a newcomer would copy it.
class ReadmeTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static String block(String language, String containing) throws IOException {
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("README.md")));
    while (matcher.find()) {
      if (matcher.group(1).contains(containing)) {
        return matcher.group(1);
      }
    }
    throw new AssertionError("no block of " + language + " with " + containing);
  }

  /// The program, on a port that is free.
  private static String program() throws IOException {
    return block("java", "void main()").replace("listen(8080)", "listen(0)");
  }

  private static void assertServesHello(Process process) throws Exception {
    try {
      String line = process.inputReader().readLine();
      Matcher port = Pattern.compile("listening on port (\\d+), .*").matcher(String.valueOf(line));
      assertTrue(port.matches(), line);
      URI uri = URI.create("http://127.0.0.1:" + port.group(1) + "/");
      try (InputStream in = uri.toURL().openStream()) {
        assertEquals("hello\n", new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void firstServerCompilesAndServes(@TempDir Path dir) throws Exception {
    Path source = Files.writeString(dir.resolve("Hello.java"), program());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String path = System.getProperty("java.class.path");
    assertEquals(
        0, compiler.run(null, null, null, "-cp", path, "-d", dir.toString(), source.toString()));
    assertServesHello(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                dir + System.getProperty("path.separator") + path,
                "Hello")
            .start());
  }

  private static void run(Path dir, String... command) throws Exception {
    Path log = Files.createTempFile("command", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    assertTrue(ended && process.exitValue() == 0, Files.readString(log));
    Files.delete(log);
  }

  /// The test of the README passes, and fails without the line that releases the buffer.
  private static void assertTestLeaksAreFound(Path home) throws Exception {
    Path pom = home.resolve("pom.xml");
    String plain = Files.readString(pom);
    String last = "  </dependencies>\n</project>";
    assertTrue(plain.contains(last));
    Files.writeString(
        pom,
        plain.replace(
            last,
            block("xml", "quickwater-junit")
                + "  </dependencies>\n"
                + block("xml", "maven-surefire-plugin")
                + "</project>"));
    Path test = Files.createDirectories(home.resolve("src/test/java")).resolve("EchoTest.java");
    String source = block("java", "@NoLeaks");
    Files.writeString(test, source);
    run(home, "mvn", "-q", "test");
    Files.writeString(test, source.replaceAll(".*request.release.*\n", ""));
    AssertionError failed =
        assertThrows(AssertionError.class, () -> run(home, "mvn", "-q", "test"));
    String report = String.valueOf(failed.getMessage());
    assertTrue(report.contains("EchoTest.java:13"), report);
    assertFalse(report.contains("at dev.quickwater.buffer"), report);
    Files.writeString(pom, plain);
    Files.delete(test);
  }

  /// Clones, installs and builds a project from the README's own blocks.
  @Test
  @Tag("full")
  void projectBuildsAgainstInstalledLibraries(@TempDir Path dir) throws Exception {
    Path clone = dir.resolve("quickwater");
    run(dir, "git", "clone", "-q", ROOT.toString(), clone.toString());
    run(clone, "./qw", "install");
    run(clone, "./qw", "docs", dir.resolve("site").toString());
    assertTrue(Files.exists(dir.resolve("site/index.html")));
    Path project = Files.createDirectories(dir.resolve("first/src/main/java"));
    Files.writeString(project.resolve("Hello.java"), program());
    Path home = dir.resolve("first");
    Files.writeString(home.resolve("pom.xml"), block("xml", "quickwater-bom"));
    run(home, "mvn", "-q", "package", "dependency:copy-dependencies");
    assertTestLeaksAreFound(home);
    assertServesHello(
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    "target/classes:target/dependency/*",
                    "Hello"))
            .directory(home.toFile())
            .start());
  }
}
