package dev.quickwater.channel.invm;

import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The address of a channel that connects within this process: a name. Two addresses with one name
/// are equal. Bootstraps of every transport take such an address.
public final class InVmAddress extends SocketAddress {

  private static final long serialVersionUID = 1;

  private static final AtomicLong UNIQUE = new AtomicLong();

  private final String name;

  private InVmAddress(String name) {
    this.name = name;
  }

  /// The address of this name, which is not empty.
  public static InVmAddress of(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the name of an in-VM address is empty");
    }
    return new InVmAddress(name);
  }

  /// Stands for a name that is chosen when a channel listens, as port 0 does. The listening channel
  /// has the chosen address.
  public static InVmAddress any() {
    return new InVmAddress("");
  }

  /// An address that no other call of this method returns.
  static InVmAddress unique() {
    return new InVmAddress("#" + UNIQUE.incrementAndGet());
  }

  boolean isAny() {
    return name.isEmpty();
  }

  /// The name; empty for [#any].
  public String name() {
    return name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof InVmAddress address && address.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return "invm:" + name;
  }
}
