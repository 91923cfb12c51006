package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.ByteBufAllocator;

/// Allocates the memory of datagram sockets under a limit that has room for the first of its two
/// parts. Prints the bytes that stay in use.
final class DatagramMemoryFaults {

  private DatagramMemoryFaults() {}

  public static void main(String[] arguments) {
    long before = used();
    try (DatagramBuffers _ = new DatagramBuffers(ByteBufAllocator.shared())) {
      System.out.println("allocated");
    } catch (OutOfMemoryError _) {
      System.out.println(used() - before + " bytes stay in use");
    }
  }

  private static long used() {
    return AllocatorMetrics.total(true).used();
  }
}
