package dev.quickwater.microbench.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What all benchmarks share: how long, in which unit, and on which terms.
///
/// - A class answers one question. Its methods come in pairs, `quickwaterX` beside `nettyX`; the
///   name behind the prefix pairs them. A pair does the same work on the same input and returns or
///   consumes what it made. [JvmTerms] lists the prefixes of the few further peers.
/// - Netty is used as its own documentation and benchmarks use it, with its fastest form where
///   there are several. What it validates only on request stays off, although ours always
///   validates.
/// - The JVM flags and the threads are not set here but by [JvmTerms], the same for both sides
///   except for what makes a peer's variant. So run benchmarks through `qw bench`, not through
///   JMH's own main.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public abstract class PairedBenchmark {}
