package dev.quickwater.io.posix.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressCacheTest {

  private static final int PEERS = 200;

  private static InetSocketAddress address(int peer, int family) throws Exception {
    byte[] bytes = new byte[family == SocketConstants.AF_INET || peer % 2 == 0 ? 4 : 16];
    new Random(peer % 50).nextBytes(bytes);
    return new InetSocketAddress(InetAddress.getByAddress(bytes), 1024 + peer);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manyPeersInAnyOrderAreNeverMistaken(boolean six) throws Exception {
    int family = six ? SocketConstants.AF_INET6 : SocketConstants.AF_INET;
    Random random = new Random(1);
    AddressCache cache = new AddressCache(family);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment sent = arena.allocate(128, 8);
      MemorySegment again = arena.allocate(128, 8);
      for (int round = 0; round < 20_000; round++) {
        InetSocketAddress peer = address(random.nextInt(PEERS), family);
        int length = SocketAddresses.encode(peer, family, sent.address());
        InetSocketAddress decoded = (InetSocketAddress) cache.decode(sent.address(), length);
        assertEquals(peer, decoded);
        again.fill((byte) 0xff);
        assertEquals(length, cache.encode(decoded, again.address()));
        assertEquals(-1, sent.asSlice(0, length).mismatch(again.asSlice(0, length)));
      }
    }
  }

  @Test
  void aPeerThatSendsAgainHasTheSameObject() throws Exception {
    AddressCache cache = new AddressCache(SocketConstants.AF_INET);
    try (Arena arena = Arena.ofConfined()) {
      long at = arena.allocate(128, 8).address();
      int length =
          SocketAddresses.encode(address(0, SocketConstants.AF_INET), SocketConstants.AF_INET, at);
      assertSame(cache.decode(at, length), cache.decode(at, length));
    }
  }

  @Test
  void anAddressThatWasNeverReceivedIsEncoded() throws Exception {
    AddressCache cache = new AddressCache(SocketConstants.AF_INET);
    InetSocketAddress peer = address(2, SocketConstants.AF_INET);
    try (Arena arena = Arena.ofConfined()) {
      long at = arena.allocate(128, 8).address();
      assertEquals(peer, SocketAddresses.decode(at, cache.encode(peer, at)));
    }
  }
}
