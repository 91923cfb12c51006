package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// A server with HTTP/2 under measurement and how it is started, each with one loop on epoll.
///
/// - `quickwater` is `HttpServer` with its defaults, as `qw serve` starts it;
/// - `netty-h2-multiplex` has the frame codec and a channel for each stream, what most users have;
/// - `netty-h2-connection` is Netty's low-level connection handler, the best that Netty offers;
/// - Netty `-unsafe` has the flags that bring `Unsafe` back;
/// - `nghttpd` and `h2o` are limits in C with one worker. They send files of the same bytes from
///   their caches, with fields of their choice.
enum Http2Variant {
  QUICKWATER,
  NETTY_H2_MULTIPLEX,
  NETTY_H2_CONNECTION,
  NETTY_H2_MULTIPLEX_UNSAFE,
  NETTY_H2_CONNECTION_UNSAFE,
  NGHTTPD,
  H2O;

  private static final String SERVERS = "dev.quickwater.microbench.e2e.server.http2.";

  private static final String H2O_CONFIGURATION =
      """
      num-threads: 1
      listen:
        host: 127.0.0.1
        port: PORT
      hosts:
        default:
          paths:
            /:
              file.dir: FOLDER
      """;

  /// As a user types it.
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Http2Variant of(String label) {
    return Labels.find(values(), Http2Variant::label, "variant", label);
  }

  boolean netty() {
    return name().startsWith("NETTY");
  }

  boolean jvm() {
    return this == QUICKWATER || netty();
  }

  /// Starts the server on one core. `folder` has the files that the servers in C send.
  ServerProcess start(int core, Path folder, List<String> jvmFlags) throws IOException {
    if (jvm()) {
      List<String> command = new ArrayList<>();
      command.add(Layout.java());
      command.addAll(jvmFlags);
      command.addAll(flags());
      command.addAll(List.of("-cp", Layout.classPath()));
      command.addAll(main());
      return ServerProcess.pinned(core, command);
    }
    int port = Tools.freePort();
    return ServerProcess.pinned(core, inC(port, folder), port);
  }

  private List<String> flags() {
    if (this == QUICKWATER) {
      return List.of("--enable-native-access=ALL-UNNAMED");
    }
    return name().endsWith("_UNSAFE")
        ? List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false")
        : List.of();
  }

  private List<String> main() {
    if (this == QUICKWATER) {
      return List.of(SERVERS + "QuickwaterServer", "0", "epoll");
    }
    boolean multiplex = this == NETTY_H2_MULTIPLEX || this == NETTY_H2_MULTIPLEX_UNSAFE;
    return List.of(
        SERVERS + "NettyHttp2Server", "0", "epoll", multiplex ? "multiplex" : "connection");
  }

  private List<String> inC(int port, Path folder) throws IOException {
    if (this == NGHTTPD) {
      return List.of(
          "nghttpd",
          "--no-tls",
          "-n1",
          "-a",
          "127.0.0.1",
          "-d",
          folder.toString(),
          String.valueOf(port));
    }
    Path file = folder.resolveSibling("h2o.conf");
    String user = Objects.requireNonNull(System.getProperty("user.name"));
    Files.writeString(
        file,
        // h2o started by root runs as another user, who may not read the files.
        (user.equals("root") ? "user: root\n" : "")
            + H2O_CONFIGURATION
                .replace("PORT", String.valueOf(port))
                .replace("FOLDER", folder.toString()));
    return List.of("h2o", "-c", file.toString());
  }
}
