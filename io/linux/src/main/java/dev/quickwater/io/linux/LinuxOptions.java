package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.gate.SocketConstants.IPPROTO_UDP;
import static dev.quickwater.io.posix.gate.SocketConstants.SOL_SOCKET;
import static dev.quickwater.io.posix.gate.SocketConstants.UDP_GRO;
import static dev.quickwater.io.posix.socket.SocketKind.CONNECTION;
import static dev.quickwater.io.posix.socket.SocketKind.INTERNET;
import static dev.quickwater.io.posix.socket.SocketKind.TCP;

import dev.quickwater.io.linux.gate.LinuxConstants;
import dev.quickwater.io.posix.PeerCredentials;
import dev.quickwater.io.posix.socket.OptionForm;
import dev.quickwater.io.posix.socket.OptionForm.Plain;
import dev.quickwater.io.posix.socket.OptionRow;
import dev.quickwater.io.posix.socket.OptionRow.Range;
import dev.quickwater.io.posix.socket.OptionTable;
import dev.quickwater.io.posix.socket.SocketKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The options of [LinuxSocketOptions], beside those that all systems have.
final class LinuxOptions {

  static final OptionTable TABLE = OptionTable.POSIX.with(rows());

  private static final int CREDENTIALS_SIZE = 12;

  private LinuxOptions() {}

  private static List<OptionRow> rows() {
    int max = Integer.MAX_VALUE;
    Range anyInt = new Range(Integer.MIN_VALUE, max);
    Range flag = new Range(0, 1);
    Set<SocketKind> listening = EnumSet.of(SocketKind.LISTENER);
    Set<SocketKind> connecting = EnumSet.of(SocketKind.STREAM);
    Set<SocketKind> udp = EnumSet.of(SocketKind.DATAGRAM);
    Set<SocketKind> unixStream = EnumSet.of(SocketKind.UNIX_STREAM);
    Set<SocketKind> unix =
        EnumSet.of(SocketKind.UNIX_LISTENER, SocketKind.UNIX_STREAM, SocketKind.UNIX_DATAGRAM);
    int cpu = LinuxConstants.SO_INCOMING_CPU;
    int fastOpen = LinuxConstants.TCP_FASTOPEN_CONNECT;
    OptionForm info =
        new OptionForm.Struct(
            TcpInfo.class, (int) TcpInfoLayout.LAYOUT.byteSize(), TcpInfoLayout::read);
    OptionForm credentials =
        new OptionForm.Struct(
            PeerCredentials.class, CREDENTIALS_SIZE, LinuxOptions::readCredentials);
    return List.of(
        OptionRow.socket("SO_BUSY_POLL", LinuxConstants.SO_BUSY_POLL, Plain.INT, max, INTERNET),
        OptionRow.socket("SO_INCOMING_CPU", cpu, Plain.INT, max, INTERNET),
        OptionRow.socket("SO_PRIORITY", LinuxConstants.SO_PRIORITY, Plain.INT, 15, INTERNET),
        OptionRow.of("SO_MARK", SOL_SOCKET, LinuxConstants.SO_MARK, Plain.INT, anyInt, INTERNET),
        OptionRow.socket("SO_PASSCRED", LinuxConstants.SO_PASSCRED, Plain.FLAG, 1, unix),
        OptionRow.socket("SO_PEERCRED", LinuxConstants.SO_PEERCRED, credentials, 0, unixStream),
        OptionRow.tcp("TCP_CORK", LinuxConstants.TCP_CORK, Plain.FLAG, 0, 1, CONNECTION),
        OptionRow.tcp("TCP_QUICKACK", LinuxConstants.TCP_QUICKACK, Plain.FLAG, 0, 1, TCP),
        OptionRow.tcp("TCP_USER_TIMEOUT", LinuxConstants.TCP_USER_TIMEOUT, Plain.INT, 0, max, TCP),
        OptionRow.tcp("TCP_FASTOPEN", LinuxConstants.TCP_FASTOPEN, Plain.INT, 0, 65_535, listening),
        OptionRow.tcp("TCP_FASTOPEN_CONNECT", fastOpen, Plain.FLAG, 0, 1, connecting),
        OptionRow.tcp(
            "TCP_DEFER_ACCEPT", LinuxConstants.TCP_DEFER_ACCEPT, Plain.INT, 0, 65_535, listening),
        OptionRow.tcp("TCP_CONGESTION", LinuxConstants.TCP_CONGESTION, Plain.TEXT, 0, 0, TCP),
        OptionRow.tcp("TCP_INFO", LinuxConstants.TCP_INFO, info, 0, 0, TCP),
        OptionRow.both(
            "IP_FREEBIND",
            LinuxConstants.IP_FREEBIND,
            LinuxConstants.IPV6_FREEBIND,
            Plain.FLAG,
            1,
            INTERNET),
        OptionRow.of("UDP_GRO", IPPROTO_UDP, UDP_GRO, Plain.FLAG, flag, udp));
  }

  /// `struct ucred`.
  private static PeerCredentials readCredentials(MemorySegment memory) {
    return new PeerCredentials(
        memory.get(ValueLayout.JAVA_INT, 0),
        memory.get(ValueLayout.JAVA_INT, 4),
        memory.get(ValueLayout.JAVA_INT, 8));
  }
}
