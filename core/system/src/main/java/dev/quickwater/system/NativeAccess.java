package dev.quickwater.system;

/// Whether restricted calls may be made, decided once.
///
/// Nothing restricted is called unless the JVM was started with native access granted to this
/// module, or to the unnamed module on a class path. Without the flag, the JVM would print a
/// warning at the first restricted call, and with `--illegal-native-access=deny` it would refuse
/// the call.
public final class NativeAccess {

  private static final String MODULE = "dev.quickwater.system";

  private static final boolean GRANTED = NativeAccess.class.getModule().isNativeAccessEnabled();

  private static final boolean ENABLED = GRANTED && Settings.NATIVE_ALLOWED && Platform.WIDE;

  private NativeAccess() {}

  /// True when native memory and system calls are in use.
  public static boolean enabled() {
    return ENABLED;
  }

  /// The reason why native access is or is not used, as one sentence.
  public static String reason() {
    if (ENABLED) {
      return "native access is granted";
    }
    if (!GRANTED) {
      String name = NativeAccess.class.getModule().isNamed() ? MODULE : "ALL-UNNAMED";
      return "native access is not granted; start java with --enable-native-access=" + name;
    }
    return Settings.NATIVE_ALLOWED
        ? "native access needs a 64-bit JVM"
        : "native access is switched off by -Ddev.quickwater.nativeAccess=off";
  }

  static void require() {
    if (!ENABLED) {
      throw new UnsupportedOperationException(reason());
    }
  }
}
