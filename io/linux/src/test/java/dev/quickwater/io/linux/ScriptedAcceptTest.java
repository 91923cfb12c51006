package dev.quickwater.io.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.io.posix.gate.Errno;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// A listening socket whose kernel reports what it reports under attack or in need.
final class ScriptedAcceptTest {

  private final ScriptedKernel kernel = new ScriptedKernel();
  private final AcceptEvents events = new AcceptEvents();
  private EpollPoller poller;
  private ChannelIo listener;
  private Socket client;

  @BeforeEach
  void listen() throws IOException {
    poller = EpollPoller.open(kernel);
    listener =
        poller.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ChannelSettings.DEFAULT);
    listener.attach(events);
    listener.startReading();
    InetSocketAddress address = (InetSocketAddress) listener.localAddress();
    client = new Socket(address.getAddress(), address.getPort());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    listener.close();
    poller.close();
  }

  @Test
  void abortedConnectionsAreSkipped() {
    kernel.next("accept", -Errno.ECONNABORTED, -Errno.ECONNABORTED);
    poller.poll(0, () -> {});
    assertEquals(1, events.accepted);
    assertEquals(List.of(), events.failures);
  }

  @Test
  void endlessAbortedConnectionsDoNotHoldTheLoop() {
    long[] aborted = new long[100];
    Arrays.fill(aborted, -Errno.ECONNABORTED);
    kernel.next("accept", aborted);
    int polls = 0;
    while (events.accepted == 0) {
      poller.poll(0, () -> {});
      polls++;
    }
    assertEquals(100 / 16 + 1, polls);
  }

  /// What Linux reports for a connection that waited, and a firewall for one that it refuses.
  @Test
  void failureOfOneConnectionDoesNotStopAccepting() {
    kernel.next("accept", -Errno.EPROTO, -Errno.EPERM, -Errno.ENETDOWN, -Errno.EHOSTUNREACH);
    poller.poll(0, () -> {});
    assertEquals(List.of(), events.failures);
    assertEquals(1, events.accepted);
  }

  @Test
  void noDescriptorLeftIsReportedAndTriedAgain() {
    kernel.next("accept", -Errno.EMFILE);
    poller.poll(0, () -> {});
    assertInstanceOf(IOException.class, events.failures.getFirst());
    assertEquals(0, events.accepted);
    poller.poll(0, () -> {});
    assertEquals(1, events.accepted);
  }

  private void closesItsDescriptor(Executable opens) {
    kernel.closed.clear();
    kernel.shortOfMemory = "setsockopt";
    assertThrows(OutOfMemoryError.class, opens);
    kernel.shortOfMemory = null;
    assertEquals(1, kernel.closed.size());
  }

  @Test
  void socketThatCannotBeSetUpForWantOfMemoryIsClosed() {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    closesItsDescriptor(() -> poller.listen(any, ChannelSettings.DEFAULT));
    closesItsDescriptor(() -> poller.openStream(any, ChannelSettings.DEFAULT));
  }
}
