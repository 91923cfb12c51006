package dev.quickwater.io.posix.socket;

import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.UnixAddresses;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.UnixDomainSocketAddress;

/// Reads the address of a socket whose path has a letter outside ASCII.
final class UnixNameProcess {

  private UnixNameProcess() {}

  public static void main(String[] arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(UnixAddresses.SIZE, 8);
      UnixAddresses.encode(UnixDomainSocketAddress.of("/tmp/name"), address.address());
      address.set(ValueLayout.JAVA_SHORT_UNALIGNED, 7, (short) 0xa9c3);
      boolean unnamed = UnixAddresses.UNNAMED.equals(SocketAddresses.decode(address.address(), 12));
      System.out.println(unnamed ? "unnamed" : "named");
    }
  }
}
