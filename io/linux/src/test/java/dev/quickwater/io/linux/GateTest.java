package dev.quickwater.io.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.linux.gate.LinuxKernel;
import dev.quickwater.io.linux.gate.NativeLinuxKernel;
import dev.quickwater.io.posix.gate.Errno;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every function of the gate links, and its failure comes back as the negated errno: a result that
/// is not narrowed to `int` reads as 4294967295.
final class GateTest {

  private final NativeLinuxKernel kernel = new NativeLinuxKernel();
  private final ByteBuf memory = ByteBufAllocator.shared().allocate(64);
  private final long at = UnsafeViews.address(memory.writeBytes(new byte[64]), 0);

  @AfterEach
  void release() {
    memory.release();
  }

  private Map<String, LongSupplier> onDescriptorMinusOne() {
    Map<String, LongSupplier> calls = new LinkedHashMap<>();
    calls.put("bind", () -> kernel.bind(-1, at, 16));
    calls.put("listen", () -> kernel.listen(-1, 1));
    calls.put("connect", () -> kernel.connect(-1, at, 16));
    calls.put("getsockname", () -> kernel.getsockname(-1, at, at));
    calls.put("getpeername", () -> kernel.getpeername(-1, at, at));
    calls.put("setsockopt", () -> kernel.setsockopt(-1, 1, 2, at, 4));
    calls.put("getsockopt", () -> kernel.getsockopt(-1, 1, 2, at, at));
    calls.put("read", () -> kernel.read(-1, at, 1));
    calls.put("write", () -> kernel.write(-1, at, 1));
    calls.put("writev", () -> kernel.writev(-1, at, 1));
    calls.put("recv", () -> kernel.recv(-1, at, 1, 0));
    calls.put("send", () -> kernel.send(-1, at, 1, 0));
    calls.put("shutdown", () -> kernel.shutdown(-1, 1));
    calls.put("close", () -> kernel.close(-1));
    calls.put("lseek", () -> kernel.lseek(-1, 0, 0));
    calls.put("pread", () -> kernel.pread(-1, at, 1, 0));
    calls.put("accept", () -> kernel.accept(-1, 0, 0));
    calls.put("epollControl", () -> kernel.epollControl(-1, 1, 0, at));
    calls.put("epollWait", () -> kernel.epollWait(-1, at, 1, 0));
    calls.put("epollWaitNanos", () -> kernel.epollWaitNanos(-1, at, 1, at));
    calls.put("timerfdSet", () -> kernel.timerfdSet(-1, 0, at));
    calls.put("prepare", () -> kernel.prepare(-1));
    calls.put("fcntl", () -> kernel.fcntl(-1, 3, 0));
    calls.put("sendfile", () -> kernel.sendfile(-1, -1, at, 1));
    calls.put("sendmsg", () -> kernel.sendmsg(-1, at, 0));
    calls.put("recvmsg", () -> kernel.recvmsg(-1, at, 0));
    calls.put("sendmmsg", () -> kernel.sendmmsg(-1, at, 1, 0));
    calls.put("recvmmsg", () -> kernel.recvmmsg(-1, at, 1, 0));
    return calls;
  }

  /// These take no descriptor; the arguments are wrong in another way.
  private Map<String, LongSupplier> withoutDescriptor() {
    Map<String, LongSupplier> calls = new LinkedHashMap<>();
    calls.put("socket", () -> kernel.socket(-1, -1, -1));
    calls.put("socketpair", () -> kernel.socketpair(-1, -1, -1, at));
    calls.put("epollCreate", () -> kernel.epollCreate(-1));
    calls.put("timerfdCreate", () -> kernel.timerfdCreate(-1, 0));
    calls.put("eventfd", () -> kernel.eventfd(0, -1));
    calls.put("open", () -> kernel.open(at, -1 & ~0x40)); // an empty path
    return calls;
  }

  @Test
  void descriptorMinusOneIsBad() {
    onDescriptorMinusOne()
        .forEach((name, call) -> assertEquals(-Errno.EBADF, call.getAsLong(), name));
  }

  @Test
  void otherFunctionsReportTheirErrnoToo() {
    withoutDescriptor()
        .forEach((name, call) -> {
          long result = call.getAsLong();
          assertTrue(result < 0 && result > -200, name + " gave " + result);
        });
  }

  @Test
  void noFunctionIsLeftOut() {
    TreeSet<String> tested = new TreeSet<>(onDescriptorMinusOne().keySet());
    tested.addAll(withoutDescriptor().keySet());
    TreeSet<String> all =
        Arrays.stream(LinuxKernel.class.getMethods())
            .map(java.lang.reflect.Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(all, tested);
  }
}
