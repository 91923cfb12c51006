package dev.quickwater.io.posix.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The meaning of an error number is that of the call that failed.
final class ErrnoTest {

  private static final Path FILE = Path.of("/some/file");

  private static Class<? extends IOException> bind(int errno) {
    return Errno.bindFailure("bind", -errno).getClass();
  }

  private static Class<? extends IOException> connect(int errno) {
    return Errno.connectFailure("connect", -errno).getClass();
  }

  private static Class<? extends IOException> stream(int errno) {
    return Errno.failure("read", -errno).getClass();
  }

  private static Class<? extends IOException> file(int errno) {
    return Errno.fileFailure(FILE, -errno).getClass();
  }

  @Test
  void deniedPermissionIsThatOfTheCall() {
    assertSame(BindException.class, bind(Errno.EACCES));
    assertSame(AccessDeniedException.class, file(Errno.EACCES));
    assertSame(ConnectException.class, connect(Errno.EACCES));
    assertSame(SocketException.class, stream(Errno.EACCES));
  }

  @Test
  void timeoutOfAConnectionIsNoFailureToConnect() {
    assertSame(ConnectException.class, connect(Errno.ETIMEDOUT));
    assertSame(SocketException.class, stream(Errno.ETIMEDOUT));
    assertEquals(
        "read: connection timed out (ETIMEDOUT)",
        Errno.failure("read", -Errno.ETIMEDOUT).getMessage());
  }

  @Test
  void addressesThatAreTakenOrMissingAreNamed() {
    assertSame(BindException.class, bind(Errno.EADDRINUSE));
    assertSame(BindException.class, bind(Errno.EADDRNOTAVAIL));
    assertSame(BindException.class, connect(Errno.EADDRNOTAVAIL));
    assertSame(NoRouteToHostException.class, connect(Errno.EHOSTUNREACH));
    assertSame(NoRouteToHostException.class, connect(Errno.ENETUNREACH));
    assertSame(ConnectException.class, connect(Errno.ECONNREFUSED));
    assertSame(SocketException.class, stream(Errno.ECONNRESET));
  }

  @Test
  void filesFailAsFilesDo() {
    assertSame(NoSuchFileException.class, file(Errno.ENOENT));
    assertSame(NoSuchFileException.class, file(Errno.ENOTDIR));
    assertSame(NoSuchFileException.class, file(Errno.ENAMETOOLONG));
    assertSame(FileSystemException.class, file(Errno.EISDIR));
    FileSystemException e =
        assertInstanceOf(FileSystemException.class, Errno.fileFailure(FILE, -Errno.EMFILE));
    assertSame(FileSystemException.class, e.getClass());
    assertEquals("/some/file: too many open files, see ulimit -n (EMFILE)", e.getMessage());
  }

  @Test
  void impossibleErrorsAreFaultsInEveryCall() {
    for (int errno : new int[] {Errno.EBADF, Errno.EFAULT}) {
      assertThrows(IllegalStateException.class, () -> bind(errno));
      assertThrows(IllegalStateException.class, () -> connect(errno));
      assertThrows(IllegalStateException.class, () -> stream(errno));
      assertThrows(IllegalStateException.class, () -> file(errno));
    }
  }

  @Test
  void onlyShortagesOfDescriptorsAndMemoryAreWorthAPause() throws Exception {
    List<String> shortages = new ArrayList<>();
    for (Field field : numbers()) {
      int errno = field.getInt(null);
      if (Errno.isShortage(-errno)) {
        shortages.add(field.getName());
        assertFalse(Errno.concernsOneConnection(-errno), field.getName());
        assertFalse(Errno.concernsOneMessage(-errno), field.getName());
      }
    }
    assertEquals(List.of("ENOMEM", "ENFILE", "EMFILE", "ENOBUFS"), shortages);
  }

  @Test
  void errorsOfAWaitingConnectionConcernOneConnection() {
    for (int errno :
        new int[] {
          Errno.ECONNABORTED,
          Errno.EPROTO,
          Errno.EPERM,
          Errno.ENETDOWN,
          Errno.ENETUNREACH,
          Errno.EHOSTDOWN,
          Errno.EHOSTUNREACH,
          Errno.ENONET,
          Errno.ENOPROTOOPT,
          Errno.EOPNOTSUPP
        }) {
      assertTrue(Errno.concernsOneConnection(-errno), Errno.describe(errno));
    }
    assertFalse(Errno.concernsOneConnection(-Errno.EINVAL));
    assertFalse(Errno.concernsOneConnection(-Errno.EAGAIN));
  }

  @Test
  void everyNumberHasItsName() throws Exception {
    for (Field field : numbers()) {
      String text = Errno.describe(field.getInt(null));
      assertTrue(text.endsWith("(" + field.getName() + ")"), field.getName() + ": " + text);
    }
    assertEquals("error 4095", Errno.describe(4095));
  }

  private static List<Field> numbers() {
    return Arrays.stream(Errno.class.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == int.class)
        .toList();
  }
}
