package dev.quickwater.microbench.e2e.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/// The load that a client process makes, from its arguments.
///
/// @param path the path of every request
/// @param length bytes that every response must have
/// @param streams requests in flight on each connection
/// @param warmup seconds before the measurement
/// @param seconds of the measurement
record Load(
    int port,
    String path,
    int length,
    boolean http2,
    int connections,
    int streams,
    int warmup,
    int seconds) {

  static final String HOST = "127.0.0.1";

  /// The fields of every request beside the host.
  static final String USER_AGENT = "load/1.0";

  static final String ACCEPT = "*/*";

  static Load of(String[] args) {
    return new Load(
        Integer.parseInt(args[0]),
        args[1],
        Integer.parseInt(args[2]),
        Boolean.parseBoolean(args[3]),
        Integer.parseInt(args[4]),
        Integer.parseInt(args[5]),
        Integer.parseInt(args[6]),
        Integer.parseInt(args[7]));
  }

  InetSocketAddress server() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  String authority() {
    return HOST + ":" + port;
  }

  String uri() {
    return "http://" + authority() + path;
  }
}
