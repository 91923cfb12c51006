package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A server under measurement and how it is started.
///
/// No variant gets a heap size, a collector or a compiler flag: each runs on the JVM's defaults,
/// which on one core are the serial collector and a quarter of the memory. Beyond these,
///
/// - `quickwater-epoll` and `quickwater-nio` are `qw serve` as its launcher starts it;
/// - `quickwater-earlier` is `quickwater-epoll` of another commit, with `--against`;
/// - `quickwater-library` is the same on a class path with no flag at all: NIO and heap memory;
/// - Netty as shipped has no flag, which on this JDK means `VarHandle` access and no `Unsafe`;
/// - Netty `-unsafe` has the flags that bring `Unsafe` back;
/// - `bare` is the limit and `bare-c` the proof that it is one.
enum Variant {
  QUICKWATER_EPOLL,
  QUICKWATER_EARLIER,
  QUICKWATER_NIO,
  QUICKWATER_LIBRARY,
  NETTY_NIO,
  NETTY_EPOLL,
  NETTY_IO_URING,
  NETTY_NIO_UNSAFE,
  NETTY_EPOLL_UNSAFE,
  NETTY_IO_URING_UNSAFE,
  BARE,
  BARE_C;

  private static final String SERVERS = "dev.quickwater.microbench.e2e.server.";
  private static final String UNSAFE = "_UNSAFE";

  /// As a user types it.
  String label() {
    return switch (this) {
      case NETTY_IO_URING -> "netty-io_uring";
      case NETTY_IO_URING_UNSAFE -> "netty-io_uring-unsafe";
      default -> name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }

  static Variant of(String label) {
    return Labels.find(values(), Variant::label, "variant", label);
  }

  /// Those named, or `fallback`; all must be servers on a JVM.
  static List<Variant> jvms(Optional<List<String>> labels, List<Variant> fallback) {
    List<Variant> variants =
        labels.map(names -> names.stream().map(Variant::of).toList()).orElse(fallback);
    if (variants.contains(BARE_C)) {
      throw new UsageException(BARE_C.label() + " has no JVM to measure");
    }
    return variants;
  }

  boolean ours() {
    return name().startsWith("QUICKWATER");
  }

  boolean netty() {
    return name().startsWith("NETTY");
  }

  /// The command line, to which a JVM gets `jvmFlags` too; `bareC` is the compiled C loop.
  List<String> command(Layout layout, Path bareC, List<String> jvmFlags) {
    if (this == BARE_C) {
      return List.of(bareC.toString(), "0");
    }
    List<String> command = new ArrayList<>();
    command.add(Layout.java());
    command.addAll(jvmFlags);
    command.addAll(main(layout));
    return command;
  }

  /// The arguments by which a server also serves the files of a folder below `/files/`.
  List<String> files(Path folder) {
    return ours() ? List.of("--dir", folder.toString()) : List.of(folder.toString());
  }

  private List<String> main(Layout layout) {
    return switch (this) {
      case QUICKWATER_EPOLL -> module(layout.modules(), "epoll");
      case QUICKWATER_EARLIER -> module(layout.earlierModules(), "epoll");
      case QUICKWATER_NIO -> module(layout.modules(), "nio");
      case QUICKWATER_LIBRARY ->
          List.of(
              "-cp",
              layout.modules() + "/*",
              "dev.quickwater.cli.Main",
              "serve",
              "--port",
              "0",
              "--loops",
              "1");
      case NETTY_NIO, NETTY_EPOLL, NETTY_IO_URING ->
          List.of("-cp", Layout.classPath(), SERVERS + "NettyServer", "0", transport());
      case NETTY_NIO_UNSAFE, NETTY_EPOLL_UNSAFE, NETTY_IO_URING_UNSAFE ->
          List.of(
              "--sun-misc-unsafe-memory-access=allow",
              "-Dio.netty.noUnsafe=false",
              "-cp",
              Layout.classPath(),
              SERVERS + "NettyServer",
              "0",
              transport());
      case BARE ->
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              Layout.classPath(),
              SERVERS + "BareServer",
              "0");
      case BARE_C -> throw new IllegalStateException("not a JVM");
    };
  }

  private static List<String> module(Path modules, String transport) {
    return List.of(
        "--enable-native-access=dev.quickwater.system",
        "-p",
        modules.toString(),
        "-m",
        "dev.quickwater.cli/dev.quickwater.cli.Main",
        "serve",
        "--port",
        "0",
        "--transport",
        transport,
        "--loops",
        "1");
  }

  private String transport() {
    String transport = name().substring("NETTY_".length()).replace(UNSAFE, "");
    return transport.toLowerCase(Locale.ROOT);
  }
}
