package dev.quickwater.io.posix.socket;

import dev.quickwater.io.posix.gate.SocketConstants;
import java.util.Set;

/// One option of sockets.
///
/// @param name the name in `java.net`, `jdk.net` or the options of the system
/// @param level the protocol, an argument of `setsockopt`
/// @param number the option, an argument of `setsockopt`
/// @param number6 the option of level `IPPROTO_IPV6` that is also set; 0 for none
/// @param form the form of the value
/// @param range the values of an `int`
/// @param kinds the sockets that support the option
public record OptionRow(
    String name,
    int level,
    int number,
    int number6,
    OptionForm form,
    Range range,
    Set<SocketKind> kinds) {

  /// The values of an `int`, both included.
  public record Range(int min, int max) {

    /// For values that are no `int`.
    public static final Range NONE = new Range(0, 0);
  }

  /// An option of `SOL_SOCKET` with values from 0.
  public static OptionRow socket(
      String name, int number, OptionForm form, int max, Set<SocketKind> kinds) {
    return of(name, SocketConstants.SOL_SOCKET, number, form, new Range(0, max), kinds);
  }

  /// An option of `IPPROTO_TCP`.
  public static OptionRow tcp(
      String name, int number, OptionForm form, int min, int max, Set<SocketKind> kinds) {
    return of(name, SocketConstants.IPPROTO_TCP, number, form, new Range(min, max), kinds);
  }

  /// An option of `IPPROTO_IP` and `IPPROTO_IPV6`, with values from 0.
  public static OptionRow both(
      String name, int number, int number6, OptionForm form, int max, Set<SocketKind> kinds) {
    Range range = new Range(0, max);
    return new OptionRow(name, SocketConstants.IPPROTO_IP, number, number6, form, range, kinds);
  }

  /// An option of any level.
  public static OptionRow of(
      String name, int level, int number, OptionForm form, Range range, Set<SocketKind> kinds) {
    return new OptionRow(name, level, number, 0, form, range, kinds);
  }
}
