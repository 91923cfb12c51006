package dev.quickwater.microbench.e2e.server.http2;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.microbench.e2e.server.Plaintext;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.HttpServerSettings;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Quickwater's server as `qw serve` sets it up, with a large response beside `/plaintext`: one
/// event loop, all limits on their defaults, HTTP/1.1 and HTTP/2 on one port.
final class QuickwaterServer {

  private QuickwaterServer() {}

  /// Arguments: port (0 picks one), transport.
  public static void main(String[] args) throws InterruptedException {
    HttpResponse small = whole(Answers.small());
    HttpResponse large = whole(Answers.large());
    Routes routes =
        new Routes()
            .get(Plaintext.PATH, x -> x.respond(small))
            .get(Answers.LARGE_PATH, x -> x.respond(large));
    LoopSettings loops = new LoopSettings(1, args[1]);
    RunningServer server =
        HttpServer.create(routes)
            .with(HttpServerSettings.DEFAULT.withLoops(loops))
            .listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
    System.out.println(
        "listening on http://127.0.0.1:" + server.port() + " quickwater transport=" + args[1]);
    Thread.currentThread().join();
  }

  private static HttpResponse whole(byte[] body) {
    HttpHeaders fields = HttpHeaders.of("content-type", Plaintext.TYPE, "server", Plaintext.SERVER);
    return HttpResponse.of(HttpStatus.OK, fields, body);
  }
}
