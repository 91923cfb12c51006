package dev.quickwater.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Outcome;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Any input has the same outcome however it is split, throws only [ProxyProtocolException], and
/// means the same after it is written again. Runs its seeds in every build, and for 60 s with
/// `-Dfull`. The first byte of an input chooses where it is split.
final class ProxyHeaderFuzzTest {

  private static final CodecVerifier VERIFIER =
      CodecVerifier.of(() -> {
        boolean[] complete = new boolean[1];
        return (in, events) -> {
          @Nullable ProxyHeader header = complete[0] ? null : ProxyHeaderReader.read(in);
          if (header != null) {
            complete[0] = true;
            events.event(header);
          }
        };
      });

  @FuzzTest(maxDuration = "60s")
  void oneReadingHoweverSplit(byte[] data) throws ProxyProtocolException {
    if (data.length < 3 || data.length > 5000) {
      return;
    }
    byte[] input = Arrays.copyOfRange(data, 1, data.length);
    Outcome whole = VERIFIER.decode(input, List.of());
    Outcome split = VERIFIER.decode(input, List.of(1 + (data[0] & 0xff) % (input.length - 1)));
    assertEquals(whole.events().isEmpty(), split.events().isEmpty());
    if (whole.failure() != null) {
      assertInstanceOf(ProxyProtocolException.class, whole.failure());
      assertInstanceOf(ProxyProtocolException.class, split.failure());
      return;
    }
    if (!whole.events().isEmpty()) {
      ProxyHeader header = (ProxyHeader) whole.events().getFirst();
      assertEquals(header, split.events().getFirst());
      if (header.fields().stream().mapToInt(f -> 3 + f.value().length).sum() < 3500) {
        ByteBuf again = ByteBuf.wrap(ProxyHeaderWriter.version2(header));
        assertEquals(header, ProxyHeaderReader.read(again));
        again.release();
      }
    }
  }
}
