package dev.quickwater.microbench.e2e.server.tls;

import java.util.Arrays;

/// The large resource that every TLS server under measurement has.
public final class Megabyte {

  /// Its path.
  public static final String PATH = "/1m";

  /// Its length in bytes.
  public static final int LENGTH = 1 << 20;

  private Megabyte() {}

  /// Its bytes.
  public static byte[] bytes() {
    byte[] all = new byte[LENGTH];
    Arrays.fill(all, (byte) 'x');
    return all;
  }
}
