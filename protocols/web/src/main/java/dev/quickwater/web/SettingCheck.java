package dev.quickwater.web;

/// Checks a value of a settings record. It is a separate class, because a settings record whose
/// initialization needs the outer record would find itself half initialized.
final class SettingCheck {

  private SettingCheck() {}

  /// @throws IllegalArgumentException unless `good`; the message has the name and the value
  static void require(boolean good, String name, Object value, String expected) {
    if (!good) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }
}
