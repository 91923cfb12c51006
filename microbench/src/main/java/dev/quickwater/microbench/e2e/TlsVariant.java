package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A server with TLS under measurement, each with one loop on epoll and the same cipher suite.
///
/// - `quickwater-openssl` uses the OpenSSL of the system, or the one that `--libssl` names;
/// - `quickwater-jdk` uses the engine of the JDK;
/// - `netty-openssl` uses tcnative with its BoringSSL, `netty-jdk` the engine of the JDK;
/// - Netty `-unsafe` has the flags that bring `Unsafe` back.
enum TlsVariant {
  QUICKWATER_OPENSSL,
  QUICKWATER_JDK,
  NETTY_OPENSSL,
  NETTY_JDK,
  NETTY_OPENSSL_UNSAFE,
  NETTY_JDK_UNSAFE;

  private static final String SERVERS = "dev.quickwater.microbench.e2e.server.tls.";

  /// The suite that all servers and the load generator use.
  static final String SUITE = "TLS_AES_128_GCM_SHA256";

  /// As a user types it.
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static TlsVariant of(String label) {
    return Labels.find(values(), TlsVariant::label, "variant", label);
  }

  boolean netty() {
    return name().startsWith("NETTY");
  }

  /// Starts the server on one core.
  ServerProcess start(int core, TlsCertificate certificate, TlsOptions options, TlsLoad load)
      throws IOException {
    return ServerProcess.pinned(core, command(certificate, options, load));
  }

  /// Starts the server on any core.
  ServerProcess start(TlsCertificate certificate, TlsOptions options, TlsLoad load)
      throws IOException {
    return ServerProcess.start(command(certificate, options, load));
  }

  private List<String> command(TlsCertificate certificate, TlsOptions options, TlsLoad load) {
    List<String> command = new ArrayList<>();
    command.add(Layout.java());
    command.addAll(options.jvmFlags());
    command.add("--enable-native-access=ALL-UNNAMED");
    if (name().endsWith("_UNSAFE")) {
      command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false"));
    }
    if (!netty()) {
      options.libssl().ifPresent(path -> command.add("-Ddev.quickwater.tls.library=" + path));
    }
    command.addAll(List.of("-cp", Layout.classPath()));
    command.add(SERVERS + (netty() ? "NettyTlsServer" : "QuickwaterTlsServer"));
    command.addAll(
        List.of(
            certificate.chain().toString(),
            certificate.key().toString(),
            name().contains("JDK") ? "jdk" : "openssl",
            SUITE,
            load.path()));
    return command;
  }
}
