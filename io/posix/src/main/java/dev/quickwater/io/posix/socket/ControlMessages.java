package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.IPPROTO_IP;
import static dev.quickwater.io.posix.gate.SocketConstants.IPPROTO_IPV6;
import static dev.quickwater.io.posix.gate.SocketConstants.IPPROTO_UDP;
import static dev.quickwater.io.posix.gate.SocketConstants.SOL_SOCKET;

import dev.quickwater.io.posix.PeerCredentials;
import dev.quickwater.io.posix.gate.MessageLayouts;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.system.Memory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// The control messages of one message (metadata such as addresses and descriptors), in a region of
/// native memory.
///
/// A region holds `cmsghdr` structures, each followed by its data and aligned to 8 bytes. Methods
/// take the address of the region and its used length.
final class ControlMessages {

  static final int HEADER = (int) MessageLayouts.CMSGHDR.byteSize();

  private static final int LEVEL = 8;
  private static final int TYPE = 12;
  private static final int IPV4_INFO_SIZE = 12;
  private static final int IPV6_INFO_SIZE = 20;
  static final int CREDENTIALS_SIZE = 12;

  private ControlMessages() {}

  /// The bytes that a control message with `length` bytes of data occupies.
  static int space(int length) {
    return HEADER + (length + 7 & -8);
  }

  // ---- writing: each returns the bytes in use afterwards ----

  private static int begin(long region, int used, int level, int type, int length) {
    long at = region + used;
    Memory.fill(at, space(length), (byte) 0);
    NativeOrder.putLong(at, HEADER + length);
    NativeOrder.putInt(at + LEVEL, level);
    NativeOrder.putInt(at + TYPE, type);
    return used + space(length);
  }

  /// Splits the message into datagrams of this size (`UDP_SEGMENT`).
  static int segmentSize(long region, int used, int bytes) {
    int end = begin(region, used, IPPROTO_UDP, SocketConstants.UDP_SEGMENT, Short.BYTES);
    NativeOrder.putShort(region + used + HEADER, (short) bytes);
    return end;
  }

  static int segmentSizeSpace() {
    return space(Short.BYTES);
  }

  /// Sends from a local address, or through an interface if its index is not 0.
  static int source(long region, int used, InetAddress local, int interfaceIndex) {
    byte[] address = local.getAddress();
    long data = region + used + HEADER;
    if (local instanceof Inet4Address) {
      int end = begin(region, used, IPPROTO_IP, SocketConstants.IP_PKTINFO, IPV4_INFO_SIZE);
      NativeOrder.putInt(data, interfaceIndex);
      Memory.copy(address, 0, data + 4, address.length);
      return end;
    }
    int end = begin(region, used, IPPROTO_IPV6, SocketConstants.IPV6_PKTINFO, IPV6_INFO_SIZE);
    Memory.copy(address, 0, data, address.length);
    NativeOrder.putInt(data + address.length, interfaceIndex);
    return end;
  }

  static int sourceSpace(InetAddress local) {
    return space(local instanceof Inet4Address ? IPV4_INFO_SIZE : IPV6_INFO_SIZE);
  }

  /// Passes open descriptors to the receiver, which gets new numbers for them.
  static int descriptors(long region, int used, int... descriptors) {
    int length = descriptors.length * Integer.BYTES;
    int end = begin(region, used, SOL_SOCKET, SocketConstants.SCM_RIGHTS, length);
    for (int i = 0; i < descriptors.length; i++) {
      NativeOrder.putInt(region + used + HEADER + i * 4L, descriptors[i]);
    }
    return end;
  }

  // ---- reading ----

  /// The address of the data of the first control message of a type, or 0 if there is none.
  private static long find(long region, long used, int level, int type) {
    long at = region;
    long end = region + used;
    while (end - at >= HEADER) {
      long length = NativeOrder.getLong(at);
      if (length < HEADER || length > end - at) {
        return 0;
      }
      if (NativeOrder.getInt(at + LEVEL) == level && NativeOrder.getInt(at + TYPE) == type) {
        return at + HEADER;
      }
      at += length + 7 & -8;
    }
    return 0;
  }

  /// The size of the datagrams that were received as one message (`UDP_GRO`), or 0.
  static int segmentSize(long region, long used) {
    long data = find(region, used, IPPROTO_UDP, SocketConstants.UDP_GRO);
    return data == 0 ? 0 : NativeOrder.getInt(data);
  }

  /// The destination address of the sender, or null if the socket does not report it.
  static @Nullable InetAddress destination(long region, long used) {
    long data = find(region, used, IPPROTO_IP, SocketConstants.IP_PKTINFO);
    if (data != 0) {
      return address(data + 8, 4);
    }
    data = find(region, used, IPPROTO_IPV6, SocketConstants.IPV6_PKTINFO);
    return data == 0 ? null : address(data, 16);
  }

  /// The index of the receiving interface, or 0.
  static int interfaceIndex(long region, long used) {
    long data = find(region, used, IPPROTO_IP, SocketConstants.IP_PKTINFO);
    if (data != 0) {
      return NativeOrder.getInt(data);
    }
    data = find(region, used, IPPROTO_IPV6, SocketConstants.IPV6_PKTINFO);
    return data == 0 ? 0 : NativeOrder.getInt(data + 16);
  }

  private static InetAddress address(long at, int length) {
    byte[] bytes = new byte[length];
    Memory.copy(at, bytes, 0, length);
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError(length + " bytes are an address", e);
    }
  }

  /// The descriptors that came with the message, open and owned by the caller.
  static int[] descriptors(long region, long used) {
    long data = find(region, used, SOL_SOCKET, SocketConstants.SCM_RIGHTS);
    if (data == 0) {
      return new int[0];
    }
    int count = (int) (NativeOrder.getLong(data - HEADER) - HEADER) / Integer.BYTES;
    int[] descriptors = new int[count];
    for (int i = 0; i < count; i++) {
      descriptors[i] = NativeOrder.getInt(data + i * 4L);
    }
    return descriptors;
  }

  /// The sender of the message, or null if the socket does not report it (`SO_PASSCRED`).
  static @Nullable PeerCredentials credentials(long region, long used) {
    long data = find(region, used, SOL_SOCKET, SocketConstants.SCM_CREDENTIALS);
    return data == 0 ? null : readCredentials(data);
  }

  /// `struct ucred`.
  static PeerCredentials readCredentials(long at) {
    return new PeerCredentials(
        NativeOrder.getInt(at), NativeOrder.getInt(at + 4), NativeOrder.getInt(at + 8));
  }

  static int credentialsSpace() {
    return space(CREDENTIALS_SIZE);
  }
}
