package dev.quickwater.microbench.e2e.server.http2;

import dev.quickwater.microbench.e2e.server.Plaintext;
import java.nio.charset.StandardCharsets;

/// The resources that every HTTP/2 server under measurement has, with the same fields and bytes.
public final class Answers {

  /// The path of a body of [#LARGE_LENGTH] bytes.
  public static final String LARGE_PATH = "/16k";

  /// One full DATA frame of the default size.
  public static final int LARGE_LENGTH = 16_384;

  private Answers() {}

  /// The bytes of [Plaintext#PATH].
  public static byte[] small() {
    return Plaintext.BODY.getBytes(StandardCharsets.US_ASCII);
  }

  /// The bytes of [#LARGE_PATH].
  public static byte[] large() {
    return "x".repeat(LARGE_LENGTH).getBytes(StandardCharsets.US_ASCII);
  }
}
