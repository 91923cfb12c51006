package dev.quickwater.io.posix.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The address that an accepted connection keeps, converted to the kernel's form and back.
final class PackedAddressTest {

  private static final byte[] IPV6 = {
    0x20, 0x01, 0x0d, (byte) 0xb8, (byte) 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0x80, 1
  };

  private final ByteBuf memory = ByteBufAllocator.shared().allocate(SocketAddresses.SIZE);
  private final long address = UnsafeViews.address(memory, 0);

  @AfterEach
  void release() {
    memory.release();
  }

  @Test
  void ipv4AddressComesBack() throws Exception {
    InetSocketAddress given = socket(new byte[] {(byte) 200, 0, 2, (byte) 255}, 65_535);
    assertEquals(given, packed(given, SocketConstants.AF_INET).unpack());
  }

  @Test
  void ipv4AddressOfADualStackListenerIsIpv4() throws Exception {
    InetSocketAddress given = socket(new byte[] {127, 0, 0, 1}, 1);
    InetSocketAddress back = packed(given, SocketConstants.AF_INET6).unpack();
    assertInstanceOf(Inet4Address.class, back.getAddress());
    assertEquals(given, back);
  }

  @Test
  void ipv6AddressComesBack() throws Exception {
    InetSocketAddress given = socket(IPV6, 8080);
    assertEquals(given, packed(given, SocketConstants.AF_INET6).unpack());
  }

  @Test
  void scopeOfALinkLocalAddressComesBack() throws Exception {
    byte[] linkLocal = IPV6.clone();
    linkLocal[0] = (byte) 0xfe;
    linkLocal[1] = (byte) 0x80;
    Inet6Address scoped = Inet6Address.getByAddress(null, linkLocal, 7);
    InetSocketAddress back =
        packed(new InetSocketAddress(scoped, 8080), SocketConstants.AF_INET6).unpack();
    assertEquals(7, assertInstanceOf(Inet6Address.class, back.getAddress()).getScopeId());
    assertEquals(scoped, back.getAddress());
  }

  @Test
  void addressIsUnpackedOnce() throws Exception {
    PackedAddress packed = packed(socket(IPV6, 8080), SocketConstants.AF_INET6);
    assertSame(packed.unpack(), packed.unpack());
  }

  @Test
  void otherFamilyIsNoAddress() throws Exception {
    assertNotNull(packed(socket(IPV6, 8080), SocketConstants.AF_INET6));
    memory.setByte(0, 0).setByte(1, 0);
    assertNull(PackedAddress.read(address));
  }

  private PackedAddress packed(InetSocketAddress given, int family) {
    int length = SocketAddresses.encode(given, family, address);
    assertEquals(family == SocketConstants.AF_INET ? 16 : SocketAddresses.SIZE, length);
    @Nullable PackedAddress packed = PackedAddress.read(address);
    return java.util.Objects.requireNonNull(packed);
  }

  private static InetSocketAddress socket(byte[] bytes, int port) throws Exception {
    return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
  }
}
