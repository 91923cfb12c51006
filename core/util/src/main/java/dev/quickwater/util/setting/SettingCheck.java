package dev.quickwater.util.setting;

/// Checks a value of a settings record. This is a separate class: if a nested record called a
/// method of its outer record, the outer record would be initialized first, with a half-initialized
/// nested record.
public final class SettingCheck {

  private SettingCheck() {}

  /// Throws unless a condition holds.
  ///
  /// @throws IllegalArgumentException unless `good`; the message has the name and the value
  public static void require(boolean good, String name, Object value, String expected) {
    if (!good) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }
}
