package dev.quickwater.tls.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.tls.TlsException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Any message has the same outcome however records split it, throws only [TlsException], and has a
/// valid host name if it is accepted.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. The first two bytes of an input
/// choose where the message is split.
final class ClientHelloFuzzTest {

  @FuzzTest(maxDuration = "60s")
  void oneReadingHoweverSplit(byte[] data) {
    if (data.length < 3 || data.length > 4096) {
      return;
    }
    byte[] message = Arrays.copyOfRange(data, 2, data.length);
    String whole = outcome(HelloBytes.records(message));
    if (message.length > 1) {
      int cut = 1 + Math.floorMod(data[0] << 8 | data[1] & 0xff, message.length - 1);
      String halves = outcome(HelloBytes.records(message, cut));
      String bytes =
          outcome(HelloBytes.records(message, IntStream.range(1, message.length).toArray()));
      // Bytes behind the message are counted in its last record and ignored in later ones.
      if (!whole.contains("behind its ClientHello")) {
        assertEquals(whole, halves);
        assertEquals(whole, bytes);
      }
    }
  }

  private static String outcome(byte[] records) {
    try {
      @Nullable ClientHello hello =
          new ClientHelloReader(1024).read(ByteBuf.wrap(records), 0, records.length);
      if (hello == null) {
        return "more";
      }
      if (hello.serverName() != null) {
        assertEquals(hello.serverName(), HostName.valid(hello.serverName()));
      }
      assertTrue(hello.applicationProtocols().stream().noneMatch(String::isEmpty));
      return hello.toString();
    } catch (TlsException e) {
      assertNotNull(e.alert());
      return e.getMessage();
    }
  }
}
