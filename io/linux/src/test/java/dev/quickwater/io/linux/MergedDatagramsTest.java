package dev.quickwater.io.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.DatagramBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.VirtualClock;
import dev.quickwater.io.posix.RawSocketOption;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.SocketConstants;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Datagrams of one size to one destination leave in one message, which the kernel splits.
final class MergedDatagramsTest {

  private final ScriptedKernel kernel = new ScriptedKernel();
  private EventLoop loop;
  private Channel channel;
  private DatagramSocket peer;

  @BeforeEach
  void open() throws Exception {
    open(InetAddress.getLoopbackAddress());
  }

  private void open(InetAddress loopback) throws Exception {
    loop = EventLoop.stepped(EpollPoller.open(kernel), new VirtualClock());
    loop.step();
    peer = new DatagramSocket(0, loopback);
    peer.setSoTimeout(10_000);
    Future<Channel> opening =
        new DatagramBootstrap(loop, ChannelSettings.DATAGRAM, _ -> {})
            .bind(new InetSocketAddress(loopback, 0));
    for (int i = 0; i < 100 && !opening.isDone(); i++) {
      loop.step();
    }
    channel = opening.await(Duration.ZERO);
  }

  @AfterEach
  void close() {
    channel.close();
    loop.endStepped();
    peer.close();
  }

  private Datagram datagram(int size, int mark, SocketAddress to) {
    ByteBuf content = loop.allocator().allocate(size);
    for (int i = 0; i < size; i++) {
      content.writeByte(mark);
    }
    return new Datagram(content, to);
  }

  /// Sends one datagram of each size, which consists of its index.
  private List<Promise<Void>> send(int... sizes) {
    List<Promise<Void>> promises = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      Promise<Void> promise = loop.newPromise();
      promises.add(promise);
      channel.write(datagram(sizes[i], i, peer.getLocalSocketAddress()), promise);
    }
    channel.flush();
    for (int i = 0; i < 1000 && channel.pendingBytes() > 0; i++) {
      loop.step();
    }
    return promises;
  }

  private void receive(int from, int... sizes) throws IOException {
    for (int i = 0; i < sizes.length; i++) {
      DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
      peer.receive(packet);
      assertEquals(sizes[i], packet.getLength(), "datagram " + i);
      for (int j = 0; j < packet.getLength(); j++) {
        assertEquals((byte) (from + i), packet.getData()[j]);
      }
    }
  }

  @Test
  void datagramsOfOneSizeAreOneMessageThatAShorterOneEnds() throws Exception {
    send(50, 50, 50, 20, 50, 50);
    receive(0, 50, 50, 50, 20, 50, 50);
    assertEquals(List.of(2), kernel.batches);
  }

  @Test
  void emptyAndLongDatagramsAreSeparateMessages() throws Exception {
    send(0, 0, 1500, 1500, 30, 30, 0, 1452, 1452);
    receive(0, 0, 0, 1500, 1500, 30, 30, 0, 1452, 1452);
    assertEquals(List.of(7), kernel.batches);
  }

  @Test
  void messageHasAtMostSixtyFourDatagramsAndTheBytesOfAPacket() throws Exception {
    int[] small = new int[100];
    Arrays.fill(small, 10);
    send(small);
    receive(0, small);
    assertEquals(List.of(2), kernel.batches);
    kernel.batches.clear();
    int[] large = new int[50]; // 72,600 bytes
    Arrays.fill(large, 1452);
    send(large);
    receive(0, large);
    assertEquals(List.of(2), kernel.batches);
  }

  @Test
  void datagramsAreSentOneByOneAfterTheKernelHasRefusedToSplit() throws Exception {
    for (int errno : new int[] {Errno.EINVAL, Errno.EIO, Errno.EMSGSIZE}) {
      close();
      kernel.batches.clear();
      open();
      kernel.next("sendmmsg", -errno);
      List<Promise<Void>> sent = send(40, 40, 40);
      receive(0, 40, 40, 40);
      assertTrue(sent.stream().allMatch(Promise::isSuccess));
      assertEquals(List.of(1, 3), kernel.batches);
      send(40, 40);
      receive(0, 40, 40);
      assertEquals(List.of(1, 3, 2), kernel.batches);
    }
  }

  @Test
  void failureOfTheDestinationFailsTheFirstDatagramAlone() throws Exception {
    kernel.next("sendmmsg", -Errno.ECONNREFUSED);
    List<Promise<Void>> sent = send(40, 40, 40);
    assertNotNull(sent.getFirst().cause());
    assertNull(sent.get(1).cause());
    assertNull(sent.get(2).cause());
    receive(1, 40, 40);
    assertEquals(List.of(1, 1), kernel.batches);
  }

  @Test
  void fullSocketKeepsAllDatagramsOfTheMessage() throws Exception {
    kernel.next("sendmmsg", -Errno.EAGAIN, -Errno.EAGAIN);
    send(40, 40, 40);
    receive(0, 40, 40, 40);
    assertEquals(1, kernel.batches.getLast());
  }

  /// Other channels of the loop wait for a call.
  @Test
  void callHasAtMostTwoFullMessages() {
    int[] sizes = new int[600];
    Arrays.fill(sizes, 10);
    send(sizes);
    assertEquals(List.of(2, 2, 2, 2, 2), kernel.batches);
  }

  @Test
  void datagramsAreMergedAgainAfterARefusal() throws Exception {
    kernel.next("sendmmsg", -Errno.EINVAL);
    send(40, 40, 40);
    receive(0, 40, 40, 40);
    for (int i = 0; i < 1_000; i++) {
      send(20, 20);
      receive(0, 20, 20);
    }
    assertEquals(1, kernel.batches.getLast());
  }

  @Test
  void destinationThatTheKernelRefusesDoesNotEndTheMerging() throws Exception {
    SocketAddress invalid = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<Promise<Void>> promises = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Promise<Void> promise = loop.newPromise();
      promises.add(promise);
      channel.write(datagram(10, i, invalid), promise);
    }
    channel.flush();
    while (channel.pendingBytes() > 0) {
      loop.step();
    }
    assertTrue(promises.stream().allMatch(promise -> promise.cause() != null));
    for (int i = 0; i < 1_000; i++) {
      send(20, 20);
      receive(0, 20, 20);
    }
    assertEquals(1, kernel.batches.getLast());
  }

  /// Linux before 4.18 ignores the control message and would send one long datagram.
  @Test
  void kernelThatDoesNotSplitSendsDatagramsOneByOne() throws Exception {
    kernel.next("getsockopt", -Errno.ENOPROTOOPT);
    send(40, 40, 40);
    receive(0, 40, 40, 40);
    assertEquals(List.of(3), kernel.batches);
  }

  @Test
  void socketThatSplitsByItsOptionSendsDatagramsOneByOne() throws Exception {
    send(50, 50);
    receive(0, 50, 50);
    channel.setOption(
        RawSocketOption.ofInt(
            "UDP_SEGMENT", SocketConstants.IPPROTO_UDP, SocketConstants.UDP_SEGMENT),
        10);
    send(20, 20);
    for (int mark : new int[] {0, 0, 1, 1}) {
      receive(mark, 10);
    }
    assertEquals(List.of(1, 2), kernel.batches);
  }

  /// Equal link-local addresses on two links are two hosts.
  @Test
  void destinationsOfTwoScopesAreSeparateMessages() throws Exception {
    close();
    kernel.batches.clear();
    open(InetAddress.getByName("::1"));
    byte[] linkLocal = InetAddress.getByName("fe80::1").getAddress();
    kernel.next("sendmmsg", 1, 1);
    for (int scope = 1; scope <= 2; scope++) {
      InetAddress address = Inet6Address.getByAddress(null, linkLocal, scope);
      channel.write(datagram(10, scope, new InetSocketAddress(address, 9)), null);
    }
    channel.flush();
    assertEquals(List.of(2, 1), kernel.batches);
    assertEquals(0, channel.pendingBytes());
  }
}
