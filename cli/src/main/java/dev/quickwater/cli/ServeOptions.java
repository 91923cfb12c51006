package dev.quickwater.cli;

import dev.quickwater.util.net.Cidr;
import dev.quickwater.util.net.CidrSet;
import dev.quickwater.util.net.IpAddress;
import dev.quickwater.web.StaticFilesSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options of `qw serve`.
///
/// @param host the name or address to listen on
/// @param port 0 to 65,535; 0 picks a free port
/// @param transport auto, epoll or nio
/// @param loops number of event loops
/// @param directory files to serve, or null
/// @param files the settings of these files
/// @param logs what is logged
/// @param security TLS
record ServeOptions(
    String host,
    int port,
    String transport,
    int loops,
    @Nullable Path directory,
    StaticFilesSettings files,
    Logs logs,
    Security security) {

  /// TLS: off, with a self-signed certificate, or with a given one.
  ///
  /// @param selfSigned true for a certificate that is made at the start
  /// @param certificate a PEM file with the certificate chain, or null
  /// @param key a PEM file with the private key, or null
  /// @param proxies the proxies whose headers of the PROXY protocol are required, or null
  record Security(
      boolean selfSigned,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable CidrSet proxies) {

    boolean isOn() {
      return selfSigned || certificate != null;
    }
  }

  /// What is logged, and where: a file, `-` for standard output, or null for nothing.
  ///
  /// @param access a line for each request
  /// @param http2 a line for each frame of HTTP/2
  record Logs(@Nullable String access, @Nullable String http2) {}

  static final String USAGE =
      """
      usage: qw serve [--port N] [--host H] [--transport auto|epoll|nio] [--loops N] [--dir DIR]
                      [--listing N] [--cache-control VALUE] [--access-log FILE]
                      [--trace-http2 FILE] [--tls | --cert FILE --key FILE]
                      [--proxy-protocol NETWORKS]

        --port N           port to listen on; 0 picks a free one (8080)
        --host H           name or address to listen on (127.0.0.1)
        --transport T      auto takes the best that works; a name fails when it does not (auto)
        --loops N          event loops, 1 to 1024 (one a processor)
        --dir DIR          serve the files below DIR at /files/, index.html for a directory, and
                           name.br, name.zst or name.gz for name to clients that accept it
        --listing N        list up to N entries of a directory without index.html (0, no listing)
        --cache-control V  the Cache-Control field of files (none)
        --access-log FILE  append a line for each request, in the combined format; - for standard output
        --trace-http2 FILE append a line for each frame of HTTP/2; - for standard output. Values of
                           sensitive fields are left out, but targets and content can be secret, too
        --tls              serve https with a self-signed certificate for localhost, made at the
                           start: for development only
        --cert FILE        serve https with the certificate chain in FILE (PEM)
        --key FILE         the private key of the certificate (PEM, not encrypted)
        --proxy-protocol N require a header of the PROXY protocol, from proxies in the networks N
                           only: addresses or CIDR, separated by commas

      An option may also be written as --port=N.
      """;

  static ServeOptions parse(String[] arguments) {
    String host = "127.0.0.1";
    int port = 8080;
    String transport = "auto";
    int loops = Runtime.getRuntime().availableProcessors();
    @Nullable Path directory = null;
    StaticFilesSettings files = StaticFilesSettings.DEFAULT.withPrecompressed(true);
    @Nullable String accessLog = null;
    @Nullable String http2Trace = null;
    boolean selfSigned = false;
    @Nullable Path certificate = null;
    @Nullable Path key = null;
    @Nullable CidrSet proxies = null;
    Iterator<String> rest = split(arguments).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      if (option.equals("--tls")) {
        selfSigned = true;
        continue;
      }
      if (!isKnown(option)) {
        throw new UsageException("unknown option " + option + "; try qw serve --help");
      }
      if (!rest.hasNext()) {
        throw new UsageException("option " + option + " has no value");
      }
      String value = rest.next();
      switch (option) {
        case "--host" -> host = value;
        case "--port" -> port = number(option, value, 0, 65_535);
        case "--transport" -> transport = transport(value);
        case "--loops" -> loops = number(option, value, 1, 1024);
        case "--dir" -> directory = Path.of(value);
        case "--listing" -> files = files.withMaxListed(number(option, value, 0, 100_000));
        case "--cache-control" -> files = cached(files, value);
        case "--access-log" -> accessLog = value;
        case "--cert" -> certificate = Path.of(value);
        case "--key" -> key = Path.of(value);
        case "--proxy-protocol" -> proxies = networks(option, value);
        default -> http2Trace = value;
      }
    }
    return new ServeOptions(
        host,
        port,
        transport,
        loops,
        directory,
        files,
        new Logs(accessLog, http2Trace),
        security(selfSigned, certificate, key, proxies));
  }

  private static Security security(
      boolean selfSigned,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable CidrSet proxies) {
    if ((certificate == null) != (key == null)) {
      throw new UsageException("--cert and --key belong together, only one is given");
    }
    if (selfSigned && certificate != null) {
      throw new UsageException("--tls makes a certificate, --cert names one: use only one of them");
    }
    return new Security(selfSigned, certificate, key, proxies);
  }

  private static CidrSet networks(String option, String value) {
    CidrSet.Builder networks = CidrSet.builder();
    for (String network : value.split(",", -1)) {
      try {
        networks.add(network.contains("/") ? Cidr.of(network) : Cidr.of(IpAddress.of(network)));
      } catch (IllegalArgumentException e) {
        throw new UsageException(option + " is " + value + ": " + e.getMessage());
      }
    }
    return networks.build();
  }

  private static StaticFilesSettings cached(StaticFilesSettings files, String value) {
    try {
      return files.withCacheControl(value);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--cache-control is no field value: " + e.getMessage());
    }
  }

  /// The arguments: options and values in turn.
  private static List<String> split(String[] arguments) {
    List<String> parts = new ArrayList<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (argument.startsWith("--") && equals > 0) {
        parts.add(argument.substring(0, equals));
        parts.add(argument.substring(equals + 1));
      } else {
        parts.add(argument);
      }
    }
    return parts;
  }

  private static boolean isKnown(String option) {
    return switch (option) {
      case "--host",
          "--port",
          "--transport",
          "--loops",
          "--dir",
          "--listing",
          "--cache-control",
          "--access-log",
          "--cert",
          "--key",
          "--proxy-protocol",
          "--trace-http2" ->
          true;
      default -> false;
    };
  }

  private static String transport(String value) {
    return switch (value) {
      case "auto", "epoll", "nio" -> value;
      default ->
          throw new UsageException("--transport is " + value + ", expected auto, epoll or nio");
    };
  }

  private static int number(String option, String value, int min, int max) {
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException _) {
      // reported below, with the value as it was given
    }
    throw new UsageException(
        option + " is " + value + ", expected a number from " + min + " to " + max);
  }
}
