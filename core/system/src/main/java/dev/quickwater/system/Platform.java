package dev.quickwater.system;

/// The names that the JVM gives the machine and its operating system. Only this class reads these
/// properties.
public final class Platform {

  /// The system's name: `Linux`, `Mac OS X`.
  public static final String SYSTEM = System.getProperty("os.name");

  /// The machine's name: `amd64`, `aarch64`.
  public static final String MACHINE = System.getProperty("os.arch");

  public static final boolean LINUX = SYSTEM.equals("Linux");
  public static final boolean AMD64 = MACHINE.equals("amd64");
  public static final boolean AARCH64 = MACHINE.equals("aarch64");

  /// True in a 64-bit JVM.
  public static final boolean WIDE = "64".equals(System.getProperty("sun.arch.data.model"));

  private Platform() {}
}
