package dev.quickwater.common;

/// The number of objects that a [Recycler] keeps for each loop thread.
///
/// @param maxKept free objects on their own thread, 1 to 1,048,576
/// @param maxWaiting objects that other threads recycled and the own thread has not fetched yet, 0
///   to 1,048,576; with 0, objects from other threads are dropped
public record RecyclerSettings(int maxKept, int maxWaiting) {

  private static final int MOST = 1 << 20;

  /// 1,024 of both kinds.
  public static final RecyclerSettings DEFAULT = new RecyclerSettings(1024, 1024);

  /// Checks the ranges.
  ///
  /// @throws IllegalArgumentException if a value is outside its range
  public RecyclerSettings {
    require("maxKept", maxKept, 1);
    require("maxWaiting", maxWaiting, 0);
  }

  private static void require(String name, int value, int least) {
    if (value < least || value > MOST) {
      throw new IllegalArgumentException(
          name + " is " + value + ", expected " + least + " to " + MOST);
    }
  }

  /// These settings with another number of free objects.
  public RecyclerSettings withMaxKept(int objects) {
    return new RecyclerSettings(objects, maxWaiting);
  }

  /// These settings with another number of objects that wait to be fetched.
  public RecyclerSettings withMaxWaiting(int objects) {
    return new RecyclerSettings(maxKept, objects);
  }
}
