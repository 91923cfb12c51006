package dev.quickwater.cli;

import dev.quickwater.web.RunningServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// `qw warm`: sends itself a few requests and exits. The launcher stores the classes and profiles
/// of this run in an ahead-of-time cache.
final class Warm {

  private static final int ROUNDS = 200;

  private static final List<String> REQUESTS =
      List.of(
          """
          GET /plaintext HTTP/1.1
          Host: warm

          """,
          """
          GET /json HTTP/1.1
          Host: warm
          Accept: */*

          """,
          """
          POST /echo HTTP/1.1
          Host: warm
          Transfer-Encoding: chunked

          5
          hello
          0

          """);

  private Warm() {}

  static void run() {
    ServeOptions options = ServeOptions.parse(new String[] {"--port", "0", "--loops", "1"});
    try (RunningServer server = Serve.start(options, new ArrayList<>());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < ROUNDS; i++) {
        for (String request : REQUESTS) {
          out.write(request.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
      }
      out.flush();
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new UsageException("the server could not be warmed: " + e.getMessage());
    }
  }
}
