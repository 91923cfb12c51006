package dev.quickwater.io.posix.gate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Closes a descriptor on a thread that has made no call before and has no memory for its errors.
final class CloseProcess {

  private CloseProcess() {}

  public static void main(String[] arguments) throws Exception {
    Kernel kernel = new NativeKernel();
    int fd = open(kernel);
    List<ByteBuffer> taken = new ArrayList<>();
    Thread thread =
        new Thread(() -> {
          take(taken);
          kernel.close(fd);
        });
    thread.start();
    thread.join();
    taken.forEach(ByteBuffer::capacity);
    System.out.println(open(kernel) == fd ? "closed" : "still open");
  }

  private static int open(Kernel kernel) {
    return kernel.socket(SocketConstants.AF_UNIX, SocketConstants.SOCK_DGRAM, 0);
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
