package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsSessions;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients of other projects in front of our https server, with each library.
@Tag("full")
final class HttpsClientsTest {

  private static final int LENGTH = 10 << 20;

  @TempDir private Path dir;

  private static RunningServer start(TlsSettings tls) {
    Routes routes =
        new Routes()
            .get("/plaintext", x -> x.respond(HttpResponse.text("Hello, World!")))
            .post("/echo", x -> x.requestBody().pipeTo(x.respond(ResponseHead.of(HttpStatus.OK))))
            // for clients that send everything before they read
            .post(
                "/length",
                x -> x.respond(x.readAll(LENGTH).map(body -> HttpResponse.text("" + body.length))));
    return HttpServer.create(routes)
        .tls(tls)
        .listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
  }

  private static String url(RunningServer server) {
    return "https://localhost:" + server.port();
  }

  private String curl(RunningServer server, TlsFiles files, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "curl",
                "-sS",
                "--max-time",
                "30",
                "--cacert",
                files.certificate().toString(),
                "-o",
                dir + "/out",
                "-w",
                "%{http_version} %{http_code} %{size_download}"));
    command.addAll(List.of(arguments));
    return Peer.run(dir, command.toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void curlIsAnswered(TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    Path upload = Files.writeString(dir.resolve("upload"), "x".repeat(LENGTH));
    try (RunningServer server = start(TlsFiles.server(library))) {
      String url = url(server);
      assertEquals("2 200 13", curl(server, files, url + "/plaintext"));
      for (String version : List.of("--tlsv1.3", "--tls-max=1.2")) {
        String[] option =
            version.contains("max") ? new String[] {"--tls-max", "1.2"} : new String[] {version};
        for (String http : List.of("--http1.1", "--http2")) {
          List<String> arguments = new ArrayList<>(List.of(option));
          arguments.addAll(List.of(http, "--data-binary", "@" + upload, url + "/echo"));
          String number = http.equals("--http2") ? "2" : "1.1";
          assertEquals(
              number + " 200 " + LENGTH,
              curl(server, files, arguments.toArray(String[]::new)),
              version + " " + http);
          assertEquals(-1, Files.mismatch(upload, dir.resolve("out")));
        }
      }
      String refused = Peer.run(dir, "curl", "-sS", "-o", dir + "/out", url + "/plaintext");
      assertTrue(refused.contains("certificate"), refused);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void openSslClientNegotiatesEachSuiteOfTheServersKey(TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    try (RunningServer server = start(TlsFiles.server(library))) {
      for (String suite : TlsProtocols.DEFAULT.cipherSuites()) {
        boolean old = suite.contains("_WITH_");
        if (suite.contains("_RSA_")) {
          continue; // the key is an elliptic curve
        }
        String name =
            old
                ? suite
                    .replace("TLS_", "")
                    .replace("_WITH_", "_")
                    .replace("AES_", "AES")
                    .replace("_SHA256", suite.contains("CHACHA") ? "" : "_SHA256")
                    .replace('_', '-')
                : suite;
        String output =
            Peer.run(
                dir,
                "sh",
                "-c",
                "printf 'GET /plaintext HTTP/1.0\\r\\n\\r\\n' | openssl s_client -quiet -ign_eof"
                    + " -verify_return_error -brief -servername localhost -CAfile "
                    + files.certificate()
                    + (old ? " -tls1_2 -cipher " : " -tls1_3 -ciphersuites ")
                    + name
                    + " -connect 127.0.0.1:"
                    + server.port());
        assertTrue(output.contains("Hello, World!"), suite + " " + output);
        assertTrue(output.contains("Ciphersuite: " + name), suite + " " + output);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void openSslClientSeesTheRightAlerts(TlsLibrary library) throws Exception {
    TlsFiles.in(dir);
    TlsSettings strict = TlsFiles.server(library);
    strict = strict.withProtocols(strict.protocols().withVersions(TlsProtocols.Version.TLS_1_3));
    try (RunningServer server = start(strict)) {
      String old = sClient(server, "-tls1_2");
      assertTrue(old.contains("alert protocol version"), old);
      String suite = sClient(server, "-tls1_3 -ciphersuites TLS_AES_128_CCM_SHA256");
      assertTrue(suite.contains("alert handshake failure"), suite);
      String protocol = sClient(server, "-alpn spdy/1");
      assertTrue(protocol.toLowerCase(Locale.ROOT).contains("no application protocol"), protocol);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void ticketsAreSentUnlessResumptionIsOff(TlsLibrary library) throws Exception {
    TlsFiles.in(dir);
    TlsSettings on = TlsFiles.server(library);
    for (String version : List.of("-tls1_3", "-tls1_2")) {
      try (RunningServer server = start(on)) {
        String messages = messages(server, version);
        assertTrue(messages.contains("NewSessionTicket"), version + " " + messages);
      }
      try (RunningServer server = start(on.withSessions(TlsSessions.OFF))) {
        String messages = messages(server, version);
        assertTrue(messages.contains("Hello, World!"), version + " " + messages);
        // The JDK cannot leave out the ticket of TLS 1.2, which it does not accept.
        boolean sent = library == TlsLibrary.JDK && version.equals("-tls1_2");
        assertEquals(sent, messages.contains("NewSessionTicket"), version + " " + messages);
      }
    }
  }

  /// The messages of a handshake and of one request.
  private String messages(RunningServer server, String version) throws Exception {
    return Peer.run(
        dir,
        "sh",
        "-c",
        "printf 'GET /plaintext HTTP/1.0\\r\\n\\r\\n' | openssl s_client -msg -ign_eof "
            + version
            + " -servername localhost -connect 127.0.0.1:"
            + server.port());
  }

  private String sClient(RunningServer server, String options) throws Exception {
    return Peer.run(
        dir,
        "sh",
        "-c",
        "openssl s_client "
            + options
            + " -servername localhost -connect 127.0.0.1:"
            + server.port()
            + " </dev/null");
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void goClientIsAnswered(TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    try (RunningServer server = start(TlsFiles.server(library))) {
      String program = Peer.goBuild(dir, "tlsclient.go").toString();
      String output = Peer.run(dir, program, url(server), files.certificate().toString());
      List<String> expected = new ArrayList<>();
      for (String version : List.of("TLS 1.2", "TLS 1.3")) {
        for (String http : List.of("HTTP/1.1", "HTTP/2.0")) {
          expected.add(version + " " + http + " 200 " + LENGTH + " <nil>");
          expected.add(version + " " + http + " 200 " + LENGTH + " <nil>");
        }
      }
      expected.add("untrusted true");
      assertEquals(expected, output.lines().toList());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void nodeClientIsAnswered(TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    try (RunningServer server = start(TlsFiles.server(library))) {
      String program = Peer.resource(dir, "tlsclient.js").toString();
      String output = Peer.run(dir, "node", program, url(server), files.certificate().toString());
      assertEquals(
          List.of(
              "TLSv1.2 200 " + LENGTH,
              "TLSv1.3 200 " + LENGTH,
              "h2 Hello, World!",
              "DEPTH_ZERO_SELF_SIGNED_CERT"),
          output.lines().toList());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void pythonClientIsAnswered(TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    try (RunningServer server = start(TlsFiles.server(library))) {
      String program = Peer.resource(dir, "tlsclient.py").toString();
      String output =
          Peer.run(dir, "python3", program, url(server), files.certificate().toString());
      assertEquals(
          List.of("TLSv1.2 200 8", "TLSv1.3 200 8", "untrusted 18"), output.lines().toList());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void javaClientIsAnswered(TlsLibrary library) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", Keytool.selfSigned("localhost").certificate());
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    try (RunningServer server = start(TlsFiles.server(library))) {
      for (HttpClient.Version version : HttpClient.Version.values()) {
        try (HttpClient client =
            HttpClient.newBuilder().sslContext(context).version(version).build()) {
          byte[] body = new byte[LENGTH];
          HttpRequest request =
              HttpRequest.newBuilder(URI.create(url(server) + "/length"))
                  .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                  .build();
          var response = client.send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
          assertEquals("" + LENGTH, response.body());
          assertEquals(version, response.version());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void renewalUnderLoadLosesNoRequest(TlsLibrary library) throws Exception {
    try (RunningServer server = start(TlsFiles.server(library))) {
      Process load =
          new ProcessBuilder(
                  "h2load",
                  "-c8",
                  "-m8",
                  "-D3",
                  "https://127.0.0.1:" + server.port() + "/plaintext")
              .redirectErrorStream(true)
              .start();
      while (load.isAlive()) {
        server.replaceTls(TlsFiles.server(library));
      }
      String output =
          new String(load.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      assertTrue(output.contains(" 0 failed, 0 errored, 0 timeout"), output);
    }
  }
}
