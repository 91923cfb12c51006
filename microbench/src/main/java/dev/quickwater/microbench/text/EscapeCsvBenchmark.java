package dev.quickwater.microbench.text;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.text.Csv;
import io.netty.util.internal.StringUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/// What does it cost to write a field of a comma-separated line?
///
/// After the benchmark of the same name in Netty's own suite, without the field that is in quotes
/// already: Netty takes it for written, we write its quotes (RFC 4180). White space is part of a
/// field, so Netty's form without trimming stands here.
public class EscapeCsvBenchmark extends PairedBenchmark {

  /// Fields by what they need.
  public enum Field {
    PLAIN("netty"),
    QUOTE("need\"escape"),
    COMMA("need,quotes"),
    SPACES("  trim-me  "),
    COMMA_AT_END("short-comma-ended,"),
    LONG("0123456789abcdef".repeat(64)),
    LONG_COMMA_AT_END("0123456789abcdef".repeat(64) + ",");

    private final String text;

    Field(String text) {
      this.text = text;
    }
  }

  @Param public Field field = Field.PLAIN;

  @Benchmark
  public CharSequence quickwaterEscape() {
    return Csv.escape(field.text);
  }

  @Benchmark
  public CharSequence nettyEscape() {
    return StringUtil.escapeCsv(field.text);
  }
}
