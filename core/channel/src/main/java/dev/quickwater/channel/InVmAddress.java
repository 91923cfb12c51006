package dev.quickwater.channel;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The address of channels that connect within this process: a name. Addresses with the same name
/// are equal. Bootstraps of every transport take such addresses.
public final class InVmAddress extends SocketAddress {

  private static final long serialVersionUID = 1;

  private final String name;

  private InVmAddress(String name) {
    this.name = name;
  }

  /// The address with a name, which must not be empty.
  public static InVmAddress of(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the name of an in-VM address is empty");
    }
    return new InVmAddress(name);
  }

  /// A placeholder for a name that is chosen when a channel listens, like port 0. The listening
  /// channel has the chosen address.
  public static InVmAddress any() {
    return new InVmAddress("");
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
