package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.SuiteTest;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Data on an open connection, and its end.
final class DataTest extends SuiteTest {

  private EnginePair open(Version version) {
    EnginePair pair =
        Libraries.pair(
            libraries.clientSettings().withProtocols(Libraries.only(version)),
            libraries.serverSettings(),
            "localhost");
    assertOpen(pair.handshake());
    return pair;
  }

  private static byte[] data(int length) {
    byte[] data = new byte[length];
    new Random(length).nextBytes(data);
    return data;
  }

  @ParameterizedTest
  @EnumSource
  void everySizeArrives(Version version) {
    for (int length :
        new int[] {1, 2, 100, 16383, 16384, 16385, 32768, 65535, 65536, 65537, 1 << 20, 10 << 20}) {
      try (EnginePair pair = open(version)) {
        byte[] data = data(length);
        pair.exchange(pair.client().write(data), new byte[0]);
        assertArrayEquals(data, pair.server().received());
        pair.exchange(new byte[0], pair.server().write(data));
        assertArrayEquals(data, pair.client().received());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingWrittenSendsNoData(Version version) {
    try (EnginePair pair = open(version)) {
      pair.exchange(pair.client().write(new byte[0]), new byte[0]);
      assertEquals(0, pair.server().received().length);
      assertNull(pair.server().failure());
    }
  }

  @ParameterizedTest
  @EnumSource
  void severalRecordsInOneCallArrive(Version version) {
    try (EnginePair pair = open(version)) {
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      for (int i = 1; i <= 500; i++) {
        byte[] data = data(i);
        expected.writeBytes(data);
        sent.writeBytes(pair.client().write(data));
      }
      pair.exchange(sent.toByteArray(), new byte[0]);
      assertArrayEquals(expected.toByteArray(), pair.server().received());
    }
  }

  @ParameterizedTest
  @EnumSource
  void inputOfAnArrayAndOfASharedBufferIsNotChanged(Version version) throws TlsException {
    try (EnginePair pair = open(version)) {
      byte[] sent = pair.client().write(data(1000));
      byte[] copy = sent.clone();
      TlsEngine server = pair.server().engine();
      server.receive(ByteBuf.wrap(sent));
      ByteBuf read = server.read();
      assertEquals(1000, read.readableBytes());
      read.release();
      assertArrayEquals(copy, sent);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closeNotifyEndsOneDirection(Version version) {
    try (EnginePair pair = open(version)) {
      byte[] last = pair.client().write(data(10));
      byte[] end = pair.client().end();
      assertTrue(pair.client().engine().isOutputEnded());
      assertFalse(pair.client().engine().isInputEnded());
      byte[] both = new byte[last.length + end.length];
      System.arraycopy(last, 0, both, 0, last.length);
      System.arraycopy(end, 0, both, last.length, end.length);
      pair.exchange(both, new byte[0]);
      assertEquals(10, pair.server().received().length);
      assertTrue(pair.server().engine().isInputEnded());
      assertNull(pair.server().failure());
      pair.exchange(new byte[0], pair.server().end());
      assertTrue(pair.client().engine().isInputEnded());
      assertNull(pair.client().failure());
    }
  }

  @Test
  void otherDirectionContinuesInTls13() {
    try (EnginePair pair = open(Version.TLS_1_3)) {
      pair.exchange(pair.client().end(), new byte[0]);
      pair.exchange(new byte[0], pair.server().write(data(50_000)));
      assertEquals(50_000, pair.client().received().length);
      assertThrows(IllegalStateException.class, () -> pair.client().write(new byte[1]));
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesBehindCloseNotifyAreIgnored(Version version) throws TlsException {
    try (EnginePair pair = open(version)) {
      byte[] end = pair.client().end();
      byte[] more = Arrays.copyOf(end, 2 * end.length);
      System.arraycopy(end, 0, more, end.length, end.length);
      pair.exchange(more, new byte[0]);
      pair.exchange(new byte[] {1, 2, 3, 4, 5, 6, 7}, new byte[0]);
      assertEquals(0, pair.server().received().length);
      assertNull(pair.server().failure());
      pair.server().engine().endInput();
    }
  }

  @ParameterizedTest
  @EnumSource
  void endWithoutCloseNotifyIsTruncation(Version version) {
    try (EnginePair pair = open(version)) {
      pair.exchange(pair.client().write(data(10)), new byte[0]);
      TlsException end = assertThrows(TlsException.class, () -> pair.server().engine().endInput());
      assertTrue(end.isTruncation());
      assertTrue(end.getMessage().contains("close_notify"), end::toString);
    }
  }

  @Test
  void endDuringTheHandshakeIsTruncation() {
    try (EnginePair pair =
        Libraries.pair(libraries.clientSettings(), libraries.serverSettings(), "localhost")) {
      byte[] hello = pair.client().start();
      pair.server().receive(hello);
      TlsException end = assertThrows(TlsException.class, () -> pair.server().engine().endInput());
      assertTrue(end.isTruncation());
      assertTrue(end.getMessage().contains("handshake"), end::toString);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingWorksAfterClose(Version version) {
    EnginePair pair = open(version);
    byte[] data = pair.client().write(data(10));
    pair.close();
    pair.close();
    assertThrows(IllegalStateException.class, () -> pair.client().write(new byte[1]));
    assertThrows(IllegalStateException.class, () -> pair.server().receive(data));
    assertEquals(0, pair.client().end().length);
  }

  @Test
  void closeReleasesOutputThatWasNotTaken() throws TlsException {
    EnginePair pair =
        Libraries.pair(libraries.clientSettings(), libraries.serverSettings(), "localhost");
    pair.client().engine().start();
    pair.close();
    assertNull(pair.client().engine().takeOutput());
  }
}
