package dev.quickwater.http1;

import static dev.quickwater.http1.Parsing.bytes;

import dev.quickwater.codec.verify.CodecVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// With one byte at a time the cost is linear in the length. The test compares times, so it needs a
/// quiet machine and runs in the full suite only.
@Tag("full")
final class LinearWorkTest {

  private final CodecVerifier verifier =
      Parsing.verifier(
          Http1Settings.DEFAULT.withHeads(HeadLimits.DEFAULT.with(40_000, 65_535, 100)));

  @Test
  void longField() {
    verifier.verifyLinear(n -> bytes("GET / HTTP/1.1\r\nX: " + "x".repeat(n)), 14_000);
  }

  @Test
  void longTarget() {
    verifier.verifyLinear(n -> bytes("GET /" + "x".repeat(n)), 9_000);
  }

  @Test
  void manyPipelinedRequests() {
    verifier.verifyLinear(n -> bytes("GET / HTTP/1.1\r\nHost:\r\n\r\n".repeat(n / 25)), 14_000);
  }

  @Test
  void manySmallChunks() {
    verifier.verifyLinear(
        n ->
            bytes(
                "POST / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "1\r\nx\r\n".repeat(n / 6)),
        14_000);
  }
}
