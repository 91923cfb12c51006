package dev.quickwater.io.posix.socket;

import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.util.function.Function;

/// The form of an option's value in memory.
public sealed interface OptionForm {

  /// The Java type of the value.
  Class<?> type();

  /// The forms that all systems have.
  enum Plain implements OptionForm {
    /// An `int` that is 0 or 1.
    FLAG(Boolean.class),
    /// An `int`.
    INT(Integer.class),
    /// An `int`; the kernel reports twice the value that was set.
    DOUBLED(Integer.class),
    /// `struct linger`.
    LINGER(Integer.class),
    /// Characters.
    TEXT(String.class),
    /// `struct ip_mreqn`, or for IPv6 the index.
    INTERFACE(NetworkInterface.class),
    /// An `int` that the socket's object stores; the kernel has no such option.
    STORED(Integer.class);

    private final Class<?> type;

    Plain(Class<?> type) {
      this.type = type;
    }

    @Override
    public Class<?> type() {
      return type;
    }
  }

  /// A structure of one system, read only.
  ///
  /// @param size the bytes of the structure; the rest is zero if the kernel's is shorter
  /// @param reader converts the structure
  record Struct(Class<?> type, int size, Function<MemorySegment, Object> reader)
      implements OptionForm {}
}
