package dev.quickwater.io.linux;

import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.linux.gate.NativeLinuxKernel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Closes a descriptor on a thread that has made no call before and has no memory for its errors.
final class CloseProcess {

  private CloseProcess() {}

  public static void main(String[] arguments) throws Exception {
    LinuxKernel kernel = new NativeLinuxKernel();
    int fd = kernel.eventfd(0, 0);
    List<ByteBuffer> taken = new ArrayList<>();
    Thread thread =
        new Thread(() -> {
          take(taken);
          kernel.close(fd);
        });
    thread.start();
    thread.join();
    taken.forEach(ByteBuffer::capacity);
    System.out.println(kernel.eventfd(0, 0) == fd ? "closed" : "still open");
  }

  private static void take(List<ByteBuffer> taken) {
    for (int length = 1 << 20; length > 0; length /= 2) {
      try {
        while (true) {
          taken.add(ByteBuffer.allocateDirect(length));
        }
      } catch (OutOfMemoryError _) {
        // less at a time
      }
    }
  }
}
