package dev.quickwater.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PeerCountsTest {

  private static @Nullable Long key(String address) throws Exception {
    return PeerCounts.key(new InetSocketAddress(InetAddress.getByName(address), 1));
  }

  @Test
  void entriesLeaveAtZero() {
    PeerCounts counts = new PeerCounts(2);
    for (long peer = 0; peer < 1000; peer++) {
      assertTrue(counts.tryAdd(peer));
      assertTrue(counts.tryAdd(peer));
      assertFalse(counts.tryAdd(peer));
      counts.remove(peer);
      counts.remove(peer);
    }
    assertEquals(0, counts.peers());
    assertThrows(IllegalStateException.class, () -> counts.remove(1L));
  }

  @Test
  void countsOfManyThreadsAreExact() throws Exception {
    PeerCounts counts = new PeerCounts(1000);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (long n = 0; n < 50_000; n++) {
                  if (counts.tryAdd(n & 3)) {
                    counts.remove(n & 3);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, counts.peers());
  }

  @Test
  void peerIsAnAddressOrAnIpv6Prefix() throws Exception {
    assertEquals(key("192.0.2.1"), key("::ffff:192.0.2.1"));
    assertNotEquals(key("192.0.2.1"), key("192.0.2.2"));
    assertEquals(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
    assertNotEquals(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
    assertNull(PeerCounts.key(UnixDomainSocketAddress.of("/x")));
    assertNull(PeerCounts.key(null));
    assertNull(PeerCounts.key(InetSocketAddress.createUnresolved("a.invalid", 1)));
  }

  @Test
  void limitsAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> BlockingLimits.DEFAULT.withMax(0));
    assertThrows(IllegalArgumentException.class, () -> BlockingLimits.DEFAULT.withMaxPerPeer(0));
    assertEquals(new BlockingLimits(10_000, 2_500), BlockingLimits.DEFAULT);
  }
}
