/// Ratios with their intervals, and the table, JSON and HTML that show them.
@NullMarked
package dev.quickwater.microbench.report;

import org.jspecify.annotations.NullMarked;
