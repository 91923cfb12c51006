package dev.quickwater.microbench.local;

/// What does it cost an event loop to read what it keeps for itself?
///
/// Each side runs on its kind of threads.
public class FastThreadLocalBenchmark extends LocalReads {}
