package dev.quickwater.microbench.local;

import org.openjdk.jmh.annotations.Fork;

/// What does it cost a thread of the JDK to read what an event loop reads quickly?
@Fork(value = 2, jvmArgsAppend = "-Djmh.executor=PLATFORM")
public class FastThreadLocalSlowPathBenchmark extends LocalReads {}
