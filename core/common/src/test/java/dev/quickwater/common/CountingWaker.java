package dev.quickwater.common;

import java.util.concurrent.atomic.AtomicInteger;

/// Counts how often a queue wakes its driver.
final class CountingWaker implements Runnable {

  private final AtomicInteger wakes = new AtomicInteger();

  @Override
  public void run() {
    wakes.incrementAndGet();
  }

  int wakes() {
    return wakes.get();
  }
}
