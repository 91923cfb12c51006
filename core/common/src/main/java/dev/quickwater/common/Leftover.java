package dev.quickwater.common;

/// A task for which it is not enough to be forgotten when its executor ends first.
interface Leftover extends Runnable {

  /// Called instead of `run`, on the executor's thread or on the one whose task came too late.
  void abandon(Throwable cause);
}
