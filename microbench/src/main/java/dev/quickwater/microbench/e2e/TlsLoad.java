package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.e2e.server.Plaintext;
import dev.quickwater.microbench.e2e.server.tls.Megabyte;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A kind of load over TLS: the version of HTTP, connections, requests in flight on each.
enum TlsLoad {
  H1_DEPTH_1("h1-1", 64, 1, false),
  H1_DEPTH_16("h1-16", 64, 16, false),
  H2_64X100("h2-64x100", 64, 100, false),
  DOWNLOAD("h1-1m", 8, 1, true);

  private final String label;
  private final int connections;
  private final int inFlight;
  private final boolean large;

  TlsLoad(String label, int connections, int inFlight, boolean large) {
    this.label = label;
    this.connections = connections;
    this.inFlight = inFlight;
    this.large = large;
  }

  static TlsLoad of(String label) {
    return Labels.find(values(), TlsLoad::label, "load", label);
  }

  /// As a user types it.
  String label() {
    return label;
  }

  String path() {
    return large ? Megabyte.PATH : Plaintext.PATH;
  }

  boolean isHttp2() {
    return this == H2_64X100;
  }

  byte[] body() {
    return large ? Megabyte.bytes() : Plaintext.BODY.getBytes(StandardCharsets.US_ASCII);
  }

  /// The options of h2load.
  List<String> options() {
    return List.of(isHttp2() ? "--npn-list=h2" : "--h1", "-c" + connections, "-m" + inFlight);
  }
}
