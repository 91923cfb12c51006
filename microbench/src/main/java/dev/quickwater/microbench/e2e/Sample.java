package dev.quickwater.microbench.e2e;

/// One measured run: what wrk saw, and the server's processor time for a request in microseconds.
record Sample(Load load, double cpu) {}
