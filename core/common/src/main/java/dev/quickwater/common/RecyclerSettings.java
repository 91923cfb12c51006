package dev.quickwater.common;

/// How many objects a [Recycler] keeps for each loop thread.
///
/// @param mostKept free objects that wait on their own thread, 1 to 1,048,576
/// @param mostWaiting objects that other threads gave back and the own thread has not fetched yet,
///   0 to 1,048,576; with 0, what comes back from elsewhere is dropped
public record RecyclerSettings(int mostKept, int mostWaiting) {

  private static final int MOST = 1 << 20;

  /// 1,024 of either kind.
  public static final RecyclerSettings DEFAULT = new RecyclerSettings(1024, 1024);

  /// Checks the ranges.
  ///
  /// @throws IllegalArgumentException if a value is outside its range
  public RecyclerSettings {
    require("mostKept", mostKept, 1);
    require("mostWaiting", mostWaiting, 0);
  }

  private static void require(String name, int value, int least) {
    if (value < least || value > MOST) {
      throw new IllegalArgumentException(
          name + " is " + value + ", expected " + least + " to " + MOST);
    }
  }

  /// These settings with so many free objects kept for each thread.
  public RecyclerSettings withMostKept(int objects) {
    return new RecyclerSettings(objects, mostWaiting);
  }

  /// These settings with so many objects that wait to be fetched.
  public RecyclerSettings withMostWaiting(int objects) {
    return new RecyclerSettings(mostKept, objects);
  }
}
