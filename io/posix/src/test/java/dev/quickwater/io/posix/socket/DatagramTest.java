package dev.quickwater.io.posix.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.PackedAddress;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The gate's calls for UDP, on the real kernel over loopback.
final class DatagramTest {

  private static final int ROOM = 2048;

  private final Kernel kernel = new NativeKernel();
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment memory = arena.allocate(64 << 10, 8);
  private final long at = memory.address();
  private final long value = arena.allocate(256, 8).address();
  private final List<Integer> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(kernel::close);
    arena.close();
  }

  private int bound(InetAddress address) {
    int family =
        address instanceof java.net.Inet4Address
            ? SocketConstants.AF_INET
            : SocketConstants.AF_INET6;
    int fd = kernel.socket(family, SocketConstants.SOCK_DGRAM, 0);
    assertTrue(fd >= 0, () -> Errno.describe(-fd));
    open.add(fd);
    int length = SocketAddresses.encode(new InetSocketAddress(address, 0), family, value);
    assertEquals(0, kernel.bind(fd, value, length));
    return fd;
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private InetSocketAddress local(int fd) {
    NativeOrder.putInt(value + 128, SocketAddresses.SIZE);
    assertEquals(0, kernel.getsockname(fd, value, value + 128));
    InetSocketAddress local = SocketAddresses.decode(value);
    assertNotNull(local);
    return local;
  }

  private void option(int fd, int level, int option, int number) {
    NativeOrder.putInt(value, number);
    int result = kernel.setsockopt(fd, level, option, value, 4);
    assertEquals(0, result, () -> Errno.describe(-result));
  }

  private void message(MessageBatch batch, int index, int length, SocketAddressOf to) {
    batch.begin(index);
    batch.region(index, at, length);
    batch.destination(index, to.address(), to.family());
  }

  private record SocketAddressOf(InetSocketAddress address, int family) {}

  private static SocketAddressOf four(InetSocketAddress address) {
    return new SocketAddressOf(address, SocketConstants.AF_INET);
  }

  @Test
  void batchOfDatagramsArrivesInOrderWithItsSender() {
    int server = bound(address("127.0.0.1"));
    int client = bound(address("127.0.0.1"));
    try (MessageBatch batch = new MessageBatch(16, 2, 0)) {
      for (int i = 0; i < 16; i++) {
        message(batch, i, i * 10, four(local(server)));
      }
      batch.region(3, at, 5);
      assertEquals(16, batch.send(kernel, client, 0, 16));
      assertEquals(35, batch.length(3));
      for (int i = 0; i < 16; i++) {
        batch.room(i, at + (long) i * ROOM, ROOM);
      }
      assertEquals(16, batch.receive(kernel, server, 16));
      for (int i = 0; i < 16; i++) {
        assertEquals(i == 3 ? 35 : i * 10, batch.length(i));
        assertFalse(batch.isTruncated(i));
        assertEquals(local(client), batch.source(i));
        PackedAddress packed = batch.packedSource(i);
        assertNotNull(packed);
        assertEquals(local(client), packed.unpack());
      }
      batch.room(0, at, ROOM);
      assertTrue(Errno.wouldBlock(batch.receive(kernel, server, 1)));
    }
  }

  @Test
  void truncatedDatagramReportsItsLength() {
    int server = bound(address("::1"));
    int client = bound(address("::1"));
    try (MessageBatch batch = new MessageBatch(2, 1, 0)) {
      SocketAddressOf to = new SocketAddressOf(local(server), SocketConstants.AF_INET6);
      message(batch, 0, 1000, to);
      message(batch, 1, 10, to);
      assertEquals(2, batch.send(kernel, client, 0, 2));
      batch.room(0, at, 100);
      batch.room(1, at + 100, 100);
      assertEquals(2, batch.receive(kernel, server, 2));
      assertTrue(batch.isTruncated(0));
      assertEquals(1000, batch.length(0));
      assertFalse(batch.isTruncated(1));
      assertEquals(10, batch.length(1));
    }
  }

  /// Longer than any datagram, in the middle of a batch.
  @Test
  void messageThatFailsDoesNotKeepTheOthersFromBeingSent() {
    int server = bound(address("127.0.0.1"));
    int client = bound(address("127.0.0.1"));
    try (MessageBatch batch = new MessageBatch(3, 2, 0)) {
      for (int i = 0; i < 3; i++) {
        message(batch, i, 10, four(local(server)));
      }
      batch.begin(1);
      batch.region(1, at, 64 << 10);
      batch.region(1, at, 64 << 10);
      batch.destination(1, local(server), SocketConstants.AF_INET);
      assertEquals(1, batch.send(kernel, client, 0, 3));
      int failure = batch.send(kernel, client, 1, 2);
      assertEquals(-Errno.EMSGSIZE, failure);
      assertTrue(Errno.concernsOneMessage(failure));
      assertEquals(1, batch.send(kernel, client, 2, 1));
      batch.room(0, at, ROOM);
      batch.room(1, at + ROOM, ROOM);
      assertEquals(2, batch.receive(kernel, server, 2));
    }
  }

  @Test
  void refusalOfAnEarlierMessageIsReportedOnAConnectedSocket() {
    int client = bound(address("127.0.0.1"));
    int gone = bound(address("127.0.0.1"));
    InetSocketAddress unbound = local(gone);
    open.remove(Integer.valueOf(gone));
    kernel.close(gone);
    int length = SocketAddresses.encode(unbound, SocketConstants.AF_INET, value);
    assertEquals(0, kernel.connect(client, value, length));
    try (MessageBatch batch = new MessageBatch(1, 1, 0)) {
      batch.begin(0);
      batch.region(0, at, 1);
      assertEquals(1, batch.send(kernel, client, 0, 1));
      int failure = batch.send(kernel, client, 0, 1);
      assertEquals(-Errno.ECONNREFUSED, failure);
      assertTrue(Errno.concernsOneMessage(failure));
    }
  }

  @Test
  void segmentedMessageArrivesAsDatagramsOrAsOneWithTheirSize() {
    int server = bound(address("127.0.0.1"));
    int client = bound(address("127.0.0.1"));
    try (MessageBatch batch = new MessageBatch(8, 1, 64)) {
      message(batch, 0, 3500, four(local(server)));
      batch.segmentSize(0, 1000);
      assertEquals(1, batch.send(kernel, client, 0, 1));
      for (int i = 0; i < 8; i++) {
        batch.room(i, at + (long) i * ROOM, ROOM);
      }
      assertEquals(4, batch.receive(kernel, server, 8));
      assertEquals(1000, batch.length(0));
      assertEquals(500, batch.length(3));
      assertEquals(0, batch.segmentSize(0));

      option(server, SocketConstants.IPPROTO_UDP, SocketConstants.UDP_GRO, 1);
      message(batch, 0, 3500, four(local(server)));
      batch.segmentSize(0, 1000);
      assertEquals(1, batch.send(kernel, client, 0, 1));
      batch.room(0, at, 8192);
      assertEquals(1, batch.receive(kernel, server, 1));
      assertEquals(3500, batch.length(0));
      assertEquals(1000, batch.segmentSize(0));
    }
  }

  @Test
  void addressThatADatagramCameToIsReportedAndAnswersComeFromIt() {
    int server = bound(address("0.0.0.0"));
    int client = bound(address("127.0.0.1"));
    option(server, SocketConstants.IPPROTO_IP, SocketConstants.IP_PKTINFO, 1);
    try (MessageBatch batch = new MessageBatch(1, 1, 64)) {
      InetSocketAddress second = new InetSocketAddress("127.0.0.5", local(server).getPort());
      message(batch, 0, 1, four(second));
      assertEquals(1, batch.send(kernel, client, 0, 1));
      batch.room(0, at, ROOM);
      assertEquals(1, batch.receive(kernel, server, 1));
      assertEquals(second.getAddress(), batch.receivedAt(0));
      assertTrue(batch.interfaceIndex(0) > 0);

      message(batch, 0, 1, four(local(client)));
      batch.sendFrom(0, second.getAddress(), 0);
      assertEquals(1, batch.send(kernel, server, 0, 1));
      batch.room(0, at, ROOM);
      assertEquals(1, batch.receive(kernel, client, 1));
      assertEquals(second, batch.source(0));
      assertNull(batch.receivedAt(0));
    }
  }

  @Test
  void addressOfIpv6IsReported() {
    int server = bound(address("::"));
    int client = bound(address("::1"));
    option(server, SocketConstants.IPPROTO_IPV6, SocketConstants.IPV6_RECVPKTINFO, 1);
    try (MessageBatch batch = new MessageBatch(1, 1, 64)) {
      message(
          batch,
          0,
          1,
          new SocketAddressOf(
              new InetSocketAddress(address("::1"), local(server).getPort()),
              SocketConstants.AF_INET6));
      batch.sendFrom(0, address("::1"), 0);
      assertEquals(1, batch.send(kernel, client, 0, 1));
      batch.room(0, at, ROOM);
      assertEquals(1, batch.receive(kernel, server, 1));
      assertEquals(address("::1"), batch.receivedAt(0));
    }
  }

  // ---- multicast ----

  private static final InetAddress GROUP = address("239.20.30.40");

  private boolean arrives(int server, int client, MessageBatch batch) {
    message(batch, 0, 4, four(new InetSocketAddress(GROUP, local(server).getPort())));
    int sent = batch.send(kernel, client, 0, 1);
    assertEquals(1, sent, () -> Errno.describe(-sent));
    batch.room(0, at, ROOM);
    int received = batch.receive(kernel, server, 1);
    assertTrue(received == 1 || Errno.wouldBlock(received), () -> Errno.describe(-received));
    return received == 1;
  }

  @Test
  void groupIsReceivedWhileJoined() throws IOException {
    NetworkInterface loopback = NetworkInterface.getByInetAddress(address("127.0.0.1"));
    int server = bound(address("0.0.0.0"));
    int client = bound(address("127.0.0.1"));
    Memory.fill(value, 12, (byte) 0); // struct ip_mreqn
    NativeOrder.putInt(value + 8, loopback.getIndex());
    int sendsOn = SocketConstants.IP_MULTICAST_IF;
    assertEquals(0, kernel.setsockopt(client, SocketConstants.IPPROTO_IP, sendsOn, value, 12));
    option(server, SocketConstants.IPPROTO_IP, 49, 0); // IP_MULTICAST_ALL: only what it joined
    try (MessageBatch batch = new MessageBatch(1, 1, 0)) {
      assertFalse(arrives(server, client, batch));
      Multicast.join(kernel, server, GROUP, loopback, null);
      assertTrue(arrives(server, client, batch));
      Multicast.leave(kernel, server, GROUP, loopback, null);
      assertFalse(arrives(server, client, batch));
      Multicast.join(kernel, server, GROUP, loopback, address("127.0.0.1"));
      assertTrue(arrives(server, client, batch));
      Multicast.leave(kernel, server, GROUP, loopback, address("127.0.0.1"));
      Multicast.join(kernel, server, GROUP, loopback, address("127.0.0.9"));
      assertFalse(arrives(server, client, batch));
    }
  }

  @Test
  void wrongMembershipsAreNamed() throws IOException {
    NetworkInterface loopback = NetworkInterface.getByInetAddress(address("127.0.0.1"));
    int server = bound(address("0.0.0.0"));
    assertThrows(
        IllegalArgumentException.class,
        () -> Multicast.join(kernel, server, address("127.0.0.1"), loopback, null));
    assertThrows(
        IllegalArgumentException.class,
        () -> Multicast.join(kernel, server, GROUP, loopback, address("::1")));
    SocketException e =
        assertThrows(
            SocketException.class, () -> Multicast.leave(kernel, server, GROUP, loopback, null));
    assertTrue(e.getMessage().startsWith("cannot leave group 239.20.30.40 on lo"), e.getMessage());
  }

  @Test
  void messageTakesTheMaximumOfRegions() {
    try (MessageBatch batch = new MessageBatch(1, 1, 0)) {
      batch.begin(0);
      batch.region(0, at, 1);
      assertThrows(IndexOutOfBoundsException.class, () -> batch.region(0, at, 1));
      assertThrows(IndexOutOfBoundsException.class, () -> batch.room(1, at, 1));
      assertThrows(IllegalStateException.class, () -> batch.segmentSize(0, 100));
    }
  }
}
