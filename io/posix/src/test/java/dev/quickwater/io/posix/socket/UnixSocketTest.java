package dev.quickwater.io.posix.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.io.posix.PeerCredentials;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.gate.UnixAddresses;
import dev.quickwater.testkit.ChildJvm;
import dev.quickwater.util.net.AbstractUnixAddress;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The gate's calls for Unix sockets, on the real kernel.
final class UnixSocketTest {

  private final Kernel kernel = new NativeKernel();
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment memory = arena.allocate(256, 8);
  private final long at = memory.address();
  private final List<Integer> open = new ArrayList<>();
  @TempDir Path folder;

  @AfterEach
  void close() {
    open.forEach(kernel::close);
    arena.close();
  }

  private int keep(int fd) {
    assertTrue(fd >= 0, () -> Errno.describe(-fd));
    open.add(fd);
    return fd;
  }

  private int socket(int type) {
    return keep(kernel.socket(SocketConstants.AF_UNIX, type, 0));
  }

  private int bound(int type, SocketAddress address) {
    int fd = socket(type);
    assertEquals(0, kernel.bind(fd, at, UnixAddresses.encode(address, at)));
    return fd;
  }

  private SocketAddress localAddress(int fd) {
    NativeOrder.putInt(at + 128, UnixAddresses.SIZE);
    assertEquals(0, kernel.getsockname(fd, at, at + 128));
    return SocketAddresses.decode(at, NativeOrder.getInt(at + 128));
  }

  private long text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 200, bytes.length);
    return at + 200;
  }

  // ---- addresses ----

  @Test
  void everyKindOfAddressComesBackFromTheKernel() {
    SocketAddress path = UnixDomainSocketAddress.of(folder.resolve("söcket"));
    assertEquals(path, localAddress(bound(SocketConstants.SOCK_STREAM, path)));
    SocketAddress name = AbstractUnixAddress.of("quickwater test " + folder);
    assertEquals(name, localAddress(bound(SocketConstants.SOCK_STREAM, name)));
    SocketAddress zeros = AbstractUnixAddress.of(new byte[] {0, 1, 0, (byte) 200});
    assertEquals(zeros, localAddress(bound(SocketConstants.SOCK_DGRAM, zeros)));
    assertEquals(UnixDomainSocketAddress.of(""), localAddress(socket(SocketConstants.SOCK_STREAM)));
  }

  @Test
  void longestNamesFitAndLongerOnesAreRefused() {
    SocketAddress path = UnixDomainSocketAddress.of("p".repeat(107));
    assertEquals(path, SocketAddresses.decode(at, UnixAddresses.encode(path, at)));
    SocketAddress name = AbstractUnixAddress.of("n".repeat(107));
    assertEquals(name, SocketAddresses.decode(at, UnixAddresses.encode(name, at)));
    assertThrows(
        IllegalArgumentException.class,
        () -> UnixAddresses.encode(UnixDomainSocketAddress.of("p".repeat(108)), at));
    assertThrows(IllegalArgumentException.class, () -> AbstractUnixAddress.of("n".repeat(108)));
    assertThrows(IllegalArgumentException.class, () -> AbstractUnixAddress.of(""));
    assertThrows(
        UnsupportedOperationException.class,
        () -> UnixAddresses.encode(new java.net.InetSocketAddress(0), at));
  }

  @Test
  void pathThatIsNoUtf8HasNoName() {
    MemorySegment path = memory.asSlice(2);
    UnixAddresses.encode(UnixDomainSocketAddress.of("/tmp/name"), at);
    path.set(ValueLayout.JAVA_BYTE, 5, (byte) 0xff);
    assertEquals(UnixAddresses.UNNAMED, SocketAddresses.decode(at, 12));
  }

  /// As in a container without a locale.
  @Test
  void pathOutsideTheEncodingOfFileNamesHasNoName() throws Exception {
    ChildJvm child =
        ChildJvm.run(
            Map.of("LC_ALL", "C"), UnixNameProcess.class, "--enable-native-access=ALL-UNNAMED");
    assertEquals("unnamed\n", child.out(), child.err());
  }

  @Test
  void abstractNameIsPrintedAsToolsDo() {
    assertEquals("@quick\\x00water\\x20", AbstractUnixAddress.of("quick\0water ").toString());
  }

  // ---- streams ----

  private int[] pair(int type) {
    assertEquals(0, kernel.socketpair(SocketConstants.AF_UNIX, type, 0, at));
    return new int[] {keep(NativeOrder.getInt(at)), keep(NativeOrder.getInt(at + 4))};
  }

  @Test
  void bytesAndDescriptorsPassThroughAStream() throws IOException {
    int[] pair = pair(SocketConstants.SOCK_STREAM);
    Path file = Files.writeString(folder.resolve("file"), "content of the file");
    int opened = keep(kernel.open(arena.allocateFrom(file.toString()).address(), 0));
    try (MessageBatch batch = new MessageBatch(1, 2, ControlMessages.space(8))) {
      batch.begin(0);
      batch.region(0, text("hello"), 2);
      batch.region(0, at + 202, 3);
      batch.passDescriptors(0, opened, pair[0]);
      assertEquals(5, batch.sendOne(kernel, pair[0], 0));
      batch.room(0, at, 64);
      assertEquals(5, batch.receiveOne(kernel, pair[1], 0));
      assertEquals("hello", string(5));
      assertFalse(batch.isControlTruncated(0));
      assertNull(batch.source(0));
      int[] descriptors = batch.descriptors(0);
      assertEquals(2, descriptors.length);
      int received = keep(descriptors[0]);
      keep(descriptors[1]);
      assertTrue(received != opened);
      assertEquals(7, kernel.pread(received, at, 7, 0));
      assertEquals("content", string(7));
    }
  }

  private String string(int length) {
    return new String(
        memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  @Test
  void descriptorsThatDoNotFitAreReportedAndClosed() throws IOException {
    int[] pair = pair(SocketConstants.SOCK_STREAM);
    try (MessageBatch sender = new MessageBatch(1, 1, ControlMessages.space(12));
        MessageBatch receiver = new MessageBatch(1, 1, ControlMessages.space(4))) {
      sender.begin(0);
      sender.region(0, text("x"), 1);
      sender.passDescriptors(0, pair[0], pair[0], pair[0]);
      assertEquals(1, sender.sendOne(kernel, pair[0], 0));
      receiver.room(0, at, 64);
      assertEquals(1, receiver.receiveOne(kernel, pair[1], 0));
      assertTrue(receiver.isControlTruncated(0));
      int[] descriptors = receiver.descriptors(0);
      assertTrue(descriptors.length <= 2, "room for one, two if aligned: " + descriptors.length);
      for (int descriptor : descriptors) {
        keep(descriptor);
      }
      assertThrows(IllegalStateException.class, () -> receiver.passDescriptors(0, 1, 2, 3));
    }
  }

  // ---- credentials ----

  @Test
  void senderOfAMessageIsThisProcess() {
    int[] pair = pair(SocketConstants.SOCK_DGRAM);
    NativeOrder.putInt(at, 1);
    int passCredentials = 16; // of Linux
    assertEquals(0, kernel.setsockopt(pair[1], SocketConstants.SOL_SOCKET, passCredentials, at, 4));
    try (MessageBatch batch = new MessageBatch(1, 1, ControlMessages.credentialsSpace())) {
      batch.begin(0);
      batch.region(0, text("x"), 1);
      assertEquals(1, batch.send(kernel, pair[0], 0, 1));
      batch.room(0, at, 64);
      assertEquals(1, batch.receive(kernel, pair[1], 1));
      PeerCredentials sender = batch.credentials(0);
      assertNotNull(sender);
      assertEquals(ProcessHandle.current().pid(), sender.processId());
    }
  }

  // ---- datagrams ----

  @Test
  void datagramNamesItsSenderAndReplyReachesIt() {
    AbstractUnixAddress here = AbstractUnixAddress.of("here " + folder);
    int server = bound(SocketConstants.SOCK_DGRAM, here);
    SocketAddress there = UnixDomainSocketAddress.of(folder.resolve("there"));
    int client = bound(SocketConstants.SOCK_DGRAM, there);
    int unbound = socket(SocketConstants.SOCK_DGRAM);
    try (MessageBatch batch = new MessageBatch(2, 1, 0)) {
      batch.begin(0);
      batch.region(0, text("hello"), 5);
      batch.destination(0, here, SocketConstants.AF_UNIX);
      assertEquals(1, batch.send(kernel, client, 0, 1));
      assertEquals(1, batch.send(kernel, unbound, 0, 1));
      batch.room(0, at, 10);
      batch.room(1, at + 10, 10);
      assertEquals(2, batch.receive(kernel, server, 2));
      assertEquals(there, batch.source(0));
      assertNull(batch.packedSource(0));
      SocketAddress unnamed = batch.source(1);
      assertTrue(unnamed == null || unnamed.equals(UnixDomainSocketAddress.of("")));
      assertArrayEquals(new int[0], batch.descriptors(0));
      assertEquals(
          "hellohello",
          string(5)
              + new String(
                  memory.asSlice(10, 5).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
    }
  }

  @Test
  void missingReceiverConcernsOneMessage() {
    int client = socket(SocketConstants.SOCK_DGRAM);
    try (MessageBatch batch = new MessageBatch(1, 1, 0)) {
      batch.begin(0);
      batch.region(0, text("x"), 1);
      batch.destination(0, AbstractUnixAddress.of("missing " + folder), SocketConstants.AF_UNIX);
      assertTrue(Errno.concernsOneMessage(batch.send(kernel, client, 0, 1)));
      batch.destination(
          0, UnixDomainSocketAddress.of(folder.resolve("missing")), SocketConstants.AF_UNIX);
      assertTrue(Errno.concernsOneMessage(batch.send(kernel, client, 0, 1)));
    }
  }
}
