package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A client under measurement and how it is started, each but the JDK's with one loop on epoll.
///
/// - `quickwater-pool` is `HttpClient` with its defaults, through its pool;
/// - `quickwater-connection` has the same client's connections outside of the pool, the counterpart
///   of Netty's codecs;
/// - `netty-codec` is `HttpClientCodec` without a pool;
/// - `netty-multiplex` has a channel for each stream, `netty-connection` is Netty's low-level
///   connection handler for HTTP/2;
/// - Netty `-unsafe` has the flags that bring `Unsafe` back;
/// - `jdk` is the client of the JDK with its defaults. It speaks HTTP/2 without TLS only after an
///   upgrade, so that it is measured with HTTP/1.1.
enum ClientVariant {
  QUICKWATER_POOL("QuickwaterClient", "pool"),
  QUICKWATER_CONNECTION("QuickwaterClient", "connection"),
  NETTY_CODEC("NettyHttp1Client", ""),
  NETTY_CODEC_UNSAFE("NettyHttp1Client", ""),
  NETTY_MULTIPLEX("NettyHttp2Client", "multiplex"),
  NETTY_MULTIPLEX_UNSAFE("NettyHttp2Client", "multiplex"),
  NETTY_CONNECTION("NettyHttp2Client", "connection"),
  NETTY_CONNECTION_UNSAFE("NettyHttp2Client", "connection"),
  JDK("JdkClient", "");

  private static final String CLIENTS = "dev.quickwater.microbench.e2e.client.";

  private final String main;
  private final String form;

  ClientVariant(String main, String form) {
    this.main = main;
    this.form = form;
  }

  /// As a user types it.
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static ClientVariant of(String label) {
    return Labels.find(values(), ClientVariant::label, "variant", label);
  }

  boolean ours() {
    return name().startsWith("QUICKWATER");
  }

  boolean netty() {
    return name().startsWith("NETTY");
  }

  boolean speaks(boolean http2) {
    return ours() || http2 == main.equals("NettyHttp2Client");
  }

  /// Runs the client on one core, from its start to its end.
  ClientSample run(int core, ServerProcess server, Http2Load load, ClientsOptions options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
    command.add(Layout.java());
    command.addAll(options.jvmFlags());
    if (ours()) {
      command.add("--enable-native-access=ALL-UNNAMED");
    } else if (name().endsWith("_UNSAFE")) {
      command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false"));
    }
    command.addAll(List.of("-cp", Layout.classPath(), CLIENTS + main));
    command.addAll(
        List.of(
            String.valueOf(server.address().getPort()),
            load.path(),
            String.valueOf(load.body().length),
            String.valueOf(options.http2()),
            String.valueOf(load.connections()),
            String.valueOf(load.streams()),
            String.valueOf(options.warmup()),
            String.valueOf(options.seconds()),
            form));
    return ClientSample.parse(Tools.output(command));
  }
}
