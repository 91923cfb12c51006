package dev.quickwater.testsuite.transport;

import dev.quickwater.common.LogReadiness;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.StaticFiles;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server of the files of a folder. It receives one request while no descriptor is left and one
/// after some are released, and prints the two statuses.
final class ShortageProcess {

  private ShortageProcess() {}

  public static void main(String[] arguments) throws Exception {
    StaticFiles files = StaticFiles.at("/", Path.of(arguments[0]));
    try (RunningServer server =
            HttpServer.create(files)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      client.setSoTimeout(30_000);
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().equals(LogReadiness.THREAD_NAME)) {
          thread.join();
        }
      }
      status(client, "/missing");
      List<FileInputStream> open = exhaust();
      String without = status(client, "/file");
      for (FileInputStream file : open) {
        file.close();
      }
      System.out.println(without);
      System.out.println(status(client, "/file"));
    }
  }

  private static List<FileInputStream> exhaust() {
    List<FileInputStream> open = new ArrayList<>();
    try {
      while (true) {
        open.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException _) {
      return open;
    }
  }

  /// The status line of the response; also reads the body.
  private static String status(Socket client, String path) throws IOException {
    client
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    String head = "";
    while (!head.endsWith("\r\n\r\n")) {
      int next = client.getInputStream().read();
      if (next < 0) {
        return "closed after: " + head;
      }
      head += (char) next;
    }
    int length = Integer.parseInt(head.replaceFirst("(?is).*content-length: *([0-9]+).*", "$1"));
    client.getInputStream().readNBytes(length);
    return head.lines().findFirst().orElse("");
  }
}
