package dev.quickwater.cli;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http2.FrameTrace;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.util.net.CidrSet;
import dev.quickwater.web.AccessLog;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.LineLog;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.StaticFiles;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `qw serve`: a small server that uses only the public API.
final class Serve {

  private Serve() {}

  static void run(String[] arguments) {
    if (arguments.length == 1 && arguments[0].equals("--help")) {
      System.out.print(ServeOptions.USAGE);
      return;
    }
    List<Runnable> logs = new ArrayList<>();
    RunningServer server = start(ServeOptions.parse(arguments), logs);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, logs), "drain"));
    System.out.println(
        "listening on "
            + (server.tls() == null ? "http://" : "https://")
            + hostText(server.address())
            + ":"
            + server.port()
            + " transport="
            + server.transport().name()
            + " loops="
            + server.settings().loops().loops()
            + (server.tls() == null ? "" : " tls=" + server.tls().description()));
  }

  /// Starts a server.
  ///
  /// @param logs receives the actions that close the logs after the end of the server
  static RunningServer start(ServeOptions options, List<Runnable> logs) {
    InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
    if (address.isUnresolved()) {
      throw new UsageException("--host is " + options.host() + ", which cannot be resolved");
    }
    ServeHandler handler = new ServeHandler(files(options));
    HttpServerSettings settings =
        HttpServerSettings.DEFAULT.withLoops(
            new LoopSettings(options.loops(), options.transport()));
    @Nullable LineLog trace = lines("--trace-http2", options.logs().http2());
    if (trace != null) {
      logs.add(trace::close);
      settings =
          settings.withVersions(
              settings
                  .versions()
                  .withHttp2Initializer(
                      channel -> channel.pipeline().addLast(new FrameTrace(trace))));
    }
    try {
      HttpServer server = HttpServer.create(handler).with(settings);
      @Nullable TlsSettings tls = tls(options.security());
      if (tls != null) {
        server = server.tls(tls);
      }
      @Nullable CidrSet proxies = options.security().proxies();
      if (proxies != null) {
        server = server.acceptProxyProtocol(proxies);
      }
      @Nullable AccessLog log = accessLog(options.logs().access());
      if (log != null) {
        logs.add(log::close);
      }
      RunningServer running = (log == null ? server : server.filter(log)).listen(address);
      handler.started(running);
      return running;
    } catch (UncheckedIOException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (UnsupportedOperationException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable TlsSettings tls(ServeOptions.Security security) {
    if (!security.isOn()) {
      return null;
    }
    if (security.selfSigned()) {
      return TlsSettings.selfSigned("localhost", "127.0.0.1", "::1");
    }
    try {
      return TlsSettings.server(
          TlsIdentity.pem(
              Objects.requireNonNull(security.certificate()),
              Objects.requireNonNull(security.key())));
    } catch (UncheckedIOException | IllegalArgumentException e) {
      throw new UsageException("--cert and --key cannot be used: " + e.getMessage());
    }
  }

  private static @Nullable StaticFiles files(ServeOptions options) {
    @Nullable Path directory = options.directory();
    if (directory == null) {
      return null;
    }
    try {
      return StaticFiles.at("/files/", directory).with(options.files());
    } catch (NoSuchFileException _) {
      throw new UsageException("--dir is " + directory + ", which does not exist");
    } catch (IOException e) {
      throw new UsageException(
          "--dir is " + directory + ", which cannot be read as a directory: " + e.getMessage());
    }
  }

  private static @Nullable AccessLog accessLog(@Nullable String target) {
    if (target == null) {
      return null;
    }
    if (target.equals("-")) {
      return AccessLog.to(standardOutput(), AccessLog.Format.COMBINED);
    }
    try {
      return AccessLog.to(Path.of(target), AccessLog.Format.COMBINED);
    } catch (IOException e) {
      throw unwritable("--access-log", target, e);
    }
  }

  private static @Nullable LineLog lines(String option, @Nullable String target) {
    if (target == null) {
      return null;
    }
    if (target.equals("-")) {
      return LineLog.to(standardOutput());
    }
    try {
      return LineLog.to(Path.of(target));
    } catch (IOException e) {
      throw unwritable(option, target, e);
    }
  }

  private static Writer standardOutput() {
    return new OutputStreamWriter(System.out, StandardCharsets.UTF_8);
  }

  private static UsageException unwritable(String option, String target, IOException cause) {
    return new UsageException(
        option + " is " + target + ", which cannot be written: " + cause.getMessage());
  }

  private static String hostText(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /// The exit status after a signal is 128 + signal, unless the last shutdown hook halts the
  /// process. After a drain it is 0.
  private static void stop(RunningServer server, List<Runnable> logs) {
    boolean endsAtOnce = Signals.endProcess();
    int open = server.connections();
    if (open > 0) {
      System.out.println(
          "draining, "
              + open
              + " connections"
              + (endsAtOnce ? "; a second signal ends at once" : ""));
    }
    boolean drained = server.drain();
    if (!drained) {
      System.out.println(
          "closed the connections that were still open after " + server.settings().drainTimeout());
    }
    System.out.flush();
    logs.forEach(Runnable::run);
    Runtime.getRuntime().halt(drained ? 0 : 1);
  }
}
