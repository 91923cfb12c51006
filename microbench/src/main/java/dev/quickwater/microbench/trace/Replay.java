package dev.quickwater.microbench.trace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/// Runs the events of a trace in their order, each on the thread it belongs to, and notes after
/// each how much memory is live and how much is reserved.
///
/// The threads take turns, so that a trace gives the same figures in every run; what is freed on
/// another thread than its own is free for that one from its next turn.
final class Replay {

  private final Trace trace;
  private final Subject.Start subject;
  private final List<Runnable> releases = new ArrayList<>();
  private final int[] sizes;
  private final Usage.Meter meter;

  private Replay(Trace trace, Subject.Start subject) {
    this.trace = trace;
    this.subject = subject;
    sizes = new int[trace.blocks()];
    meter = new Usage.Meter(trace.events().getLast().micros());
    for (int i = 0; i < trace.blocks(); i++) {
      releases.add(() -> {});
    }
  }

  /// In this process, which must not have used the subject before.
  static Usage here(Trace trace, Subject subject) throws ExecutionException, InterruptedException {
    return new Replay(trace, subject.start()).run();
  }

  /// Runs in a separate process.
  static Usage apart(String trace, Subject subject) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Replay.class.getName(),
                trace,
                subject.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("the replay of " + trace + " on " + subject.label() + " failed");
    }
    return Usage.parse(line.strip());
  }

  /// The other end of [#apart]: arguments are a trace and a subject.
  public static void main(String[] args) throws ExecutionException, InterruptedException {
    System.out.println(here(Traces.named(args[0]), Subject.valueOf(args[1])));
    // Netty's threads wait a while for more work.
    System.exit(0);
  }

  private Usage run() throws ExecutionException, InterruptedException {
    List<Subject.Lane> lanes = new ArrayList<>();
    for (int i = 0; i < trace.threads(); i++) {
      lanes.add(subject.lanes().get());
    }
    List<Event> events = trace.events();
    int from = 0;
    while (from < events.size()) {
      int thread = events.get(from).thread();
      int to = from + 1;
      while (to < events.size() && events.get(to).thread() == thread) {
        to++;
      }
      List<Event> turn = events.subList(from, to);
      Subject.Lane lane = lanes.get(thread);
      lane.executor().submit(() -> turn.forEach(event -> run(event, lane))).get();
      from = to;
    }
    lanes.forEach(Subject.Lane::close);
    return meter.usage();
  }

  private void run(Event event, Subject.Lane lane) {
    if (event.frees()) {
      releases.get(event.block()).run();
      meter.note(event.micros(), -sizes[event.block()], subject.reserved().getAsLong());
    } else {
      releases.set(event.block(), lane.allocate(event.size()));
      sizes[event.block()] = event.size();
      meter.note(event.micros(), event.size(), subject.reserved().getAsLong());
    }
  }
}
