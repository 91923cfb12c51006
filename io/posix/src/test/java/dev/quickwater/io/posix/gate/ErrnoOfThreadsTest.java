package dev.quickwater.io.posix.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.common.LoopThread;
import dev.quickwater.testkit.ChildJvm;
import dev.quickwater.testkit.Threads;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One kernel serves all threads: each reads the errors of its calls only.
@Timeout(60)
final class ErrnoOfThreadsTest {

  private static final int CALLS = 300_000;

  private final NativeKernel kernel = new NativeKernel();

  @Test
  void descriptorIsClosedByAThreadWithoutMemoryForItsErrors() throws Exception {
    ChildJvm child =
        ChildJvm.run(
            CloseProcess.class, "--enable-native-access=ALL-UNNAMED", "-XX:MaxDirectMemorySize=4m");
    assertEquals("closed\n", child.out(), child.err());
  }

  @Test
  void threadsDoNotReadEachOthersErrors() throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<FutureTask<Void>> tasks = new ArrayList<>();
    try (Arena arena = Arena.ofShared()) {
      long missing = arena.allocateFrom("/missing/file").address();
      FutureTask<Void> reader =
          Threads.task(() -> {
            for (int i = 0; i < CALLS; i++) {
              assertEquals(-Errno.EBADF, kernel.recv(-1, missing, 1, 0));
            }
          });
      FutureTask<Void> opener =
          Threads.task(() -> {
            for (int i = 0; i < CALLS; i++) {
              assertEquals(-Errno.ENOENT, kernel.open(missing, 0));
            }
          });
      FutureTask<Void> virtual =
          Threads.task(() -> {
            for (int i = 0; i < CALLS; i++) {
              assertEquals(-Errno.EAFNOSUPPORT, kernel.socket(99, SocketConstants.SOCK_STREAM, 0));
            }
          });
      threads.add(new LoopThread("reader", reader));
      threads.add(new Thread(opener, "opener"));
      threads.add(Thread.ofVirtual().unstarted(virtual));
      tasks.addAll(List.of(reader, opener, virtual));
      threads.forEach(Thread::start);
      for (FutureTask<Void> task : tasks) {
        Threads.join(task);
      }
    }
  }
}
