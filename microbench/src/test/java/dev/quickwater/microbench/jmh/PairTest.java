package dev.quickwater.microbench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.microbench.command.UsageException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class PairTest {

  /// Nothing is measured here, so it may run beside something that is.
  @BeforeAll
  static void runBesideOthers() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void noPrefixBeginsWithAnother() {
    for (JvmTerms terms : JvmTerms.all().toList()) {
      assertEquals(terms.prefix(), JvmTerms.ofMethod(terms.prefix() + "Something").prefix());
    }
    assertThrows(IllegalArgumentException.class, () -> JvmTerms.ofMethod("otherSomething"));
  }

  @Test
  void patternsFindLabelsWhateverTheCase() {
    List<String> labels =
        Pair.matching("^(concurrent)?allocatorbench.*fixed").stream().map(Pair::label).toList();
    assertEquals(List.of("AllocatorBenchmark.Fixed", "ConcurrentAllocatorBenchmark.Fixed"), labels);
    assertThrows(UsageException.class, () -> Pair.matching("nothing of the kind"));
    assertThrows(UsageException.class, () -> Pair.matching("("));
  }

  /// In this JVM, so that the leak trackers of both sides watch.
  @TestFactory
  @Tag("full")
  Stream<DynamicTest> everyPairRuns() {
    return Pair.all().stream()
        .map(pair -> DynamicTest.dynamicTest(pair.label(), () -> runBriefly(pair)));
  }

  private static void runBriefly(Pair pair) throws RunnerException {
    var sides = Stream.concat(Stream.of(JvmTerms.QUICKWATER), pair.peers().stream());
    for (String include : sides.map(pair::include).distinct().toList()) {
      var options =
          new OptionsBuilder()
              .include(include)
              .forks(0)
              .warmupIterations(0)
              .measurementIterations(1)
              .measurementTime(TimeValue.milliseconds(10))
              .shouldFailOnError(true)
              .build();
      var silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
      var results = new Runner(options, silent).run();
      assertEquals(false, results.isEmpty(), include);
    }
  }
}
