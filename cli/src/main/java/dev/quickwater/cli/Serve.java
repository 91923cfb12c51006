package dev.quickwater.cli;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.web.AccessLog;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
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
import org.jspecify.annotations.Nullable;

/// `qw serve`: a small server that uses only the public API.
final class Serve {

  private Serve() {}

  static void run(String[] arguments) {
    if (arguments.length == 1 && arguments[0].equals("--help")) {
      System.out.print(ServeOptions.USAGE);
      return;
    }
    RunningServer server = start(ServeOptions.parse(arguments));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "drain"));
    System.out.println(
        "listening on http://"
            + hostText(server.address())
            + ":"
            + server.port()
            + " transport="
            + server.transport().name()
            + " loops="
            + server.settings().loops().loops());
  }

  static RunningServer start(ServeOptions options) {
    InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
    if (address.isUnresolved()) {
      throw new UsageException("--host is " + options.host() + ", which cannot be resolved");
    }
    ServeHandler handler = new ServeHandler(files(options));
    HttpServerSettings settings =
        HttpServerSettings.DEFAULT.withLoops(
            new LoopSettings(options.loops(), options.transport()));
    try {
      HttpServer server = HttpServer.create(handler).with(settings);
      @Nullable AccessLog log = accessLog(options.accessLog());
      RunningServer running = (log == null ? server : server.filter(log)).listen(address);
      handler.started(running);
      return running;
    } catch (UncheckedIOException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (UnsupportedOperationException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
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
      Writer out = new OutputStreamWriter(System.out, StandardCharsets.UTF_8);
      return AccessLog.to(out, AccessLog.Format.COMBINED);
    }
    try {
      return AccessLog.to(Path.of(target), AccessLog.Format.COMBINED);
    } catch (IOException e) {
      throw new UsageException(
          "--access-log is " + target + ", which cannot be written: " + e.getMessage());
    }
  }

  private static String hostText(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /// The exit status after a signal is 128 + signal, unless the last shutdown hook halts the
  /// process. After a drain it is 0.
  private static void stop(RunningServer server) {
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
    Runtime.getRuntime().halt(drained ? 0 : 1);
  }
}
