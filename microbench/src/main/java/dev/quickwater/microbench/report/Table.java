package dev.quickwater.microbench.report;

import java.util.ArrayList;
import java.util.List;

/// Aligned columns of text: the first to the left, the others to the right.
public final class Table {

  private final List<List<String>> lines = new ArrayList<>();

  public Table(String... heads) {
    lines.add(List.of(heads));
  }

  public void add(String... cells) {
    lines.add(List.of(cells));
  }

  @Override
  public String toString() {
    int[] widths = new int[lines.getFirst().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        String pad = " ".repeat(widths[i] - line.get(i).length());
        out.append(i == 0 ? line.get(i) + pad : "  " + pad + line.get(i));
      }
      out.append(System.lineSeparator());
    }
    return out.toString();
  }
}
