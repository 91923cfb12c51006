package dev.quickwater.testsuite.h2spec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// A run of h2spec with all its sections, and what its report contains.
///
/// @param cases the number of test cases that ran
/// @param failures section, title, and what h2spec expected and received
/// @param skipped section and title
record H2spec(int cases, List<String> failures, List<String> skipped) {

  private static final String INSTALL =
      "h2spec cannot be started. Install it and have the folder of Go programs in PATH:"
          + " go install github.com/summerwind/h2spec/cmd/h2spec@latest";
  private static final long PATIENCE_SECONDS = 300;

  /// Runs the sections generic, http2 and hpack in strict mode.
  ///
  /// @param options further options of h2spec
  static H2spec run(int port, Path dir, String... options) throws Exception {
    Path report = dir.resolve("report.xml");
    Path output = dir.resolve("h2spec.out");
    Process process = start(port, report, output, options);
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    if (!ended || !Files.exists(report)) {
      throw new AssertionError("h2spec wrote no report: " + Files.readString(output));
    }
    return parse(report);
  }

  private static Process start(int port, Path report, Path output, String... options) {
    List<String> arguments =
        List.of(
            "generic",
            "http2",
            "hpack",
            "--strict",
            "--host",
            "127.0.0.1",
            "--port",
            String.valueOf(port),
            "--junit-report",
            report.toString());
    // Go's folder is often not in PATH.
    String home = String.valueOf(System.getProperty("user.home"));
    for (String program : List.of("h2spec", Path.of(home, "go", "bin", "h2spec").toString())) {
      List<String> command = new ArrayList<>(List.of(program));
      command.addAll(arguments);
      command.addAll(List.of(options));
      try {
        return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
      } catch (IOException _) {
        // the next place
      }
    }
    throw new AssertionError(INSTALL);
  }

  private static H2spec parse(Path report) throws Exception {
    Document document =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(
                new java.io.ByteArrayInputStream(
                    Files.readString(report).getBytes(StandardCharsets.UTF_8)));
    NodeList cases = document.getElementsByTagName("testcase");
    List<String> failures = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (int i = 0; i < cases.getLength(); i++) {
      Element element = (Element) cases.item(i);
      String title = element.getAttribute("package") + ": " + element.getAttribute("classname");
      for (String kind : List.of("failure", "error")) {
        if (element.getElementsByTagName(kind).getLength() > 0) {
          failures.add(
              title
                  + ": "
                  + element
                      .getElementsByTagName(kind)
                      .item(0)
                      .getTextContent()
                      .replaceAll("\\s+", " "));
        }
      }
      if (element.getElementsByTagName("skipped").getLength() > 0) {
        skipped.add(title);
      }
    }
    return new H2spec(cases.getLength(), failures, skipped);
  }
}
