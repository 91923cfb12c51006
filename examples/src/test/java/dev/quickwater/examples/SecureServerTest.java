package dev.quickwater.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.http.HttpStatus;
import dev.quickwater.testkit.Keytool;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecureServerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path dir;

  private Path pem(String name, String kind, byte[] bytes) throws Exception {
    String text =
        "-----BEGIN "
            + kind
            + "-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
            + "\n-----END "
            + kind
            + "-----\n";
    return Files.writeString(dir.resolve(name), text);
  }

  @Test
  void clientThatTrustsTheFileReceivesTheResponse() throws Exception {
    Keytool.Pair pair = Keytool.selfSigned("localhost");
    Path chain = pem("chain.pem", "CERTIFICATE", pair.certificate().getEncoded());
    Path key = pem("key.pem", "PRIVATE KEY", pair.key().getEncoded());
    try (RunningServer server = SecureServer.production(chain, key).listen(0);
        HttpClient client = SecureServer.client(chain)) {
      String url = "https://localhost:" + server.port();
      assertEquals("hello over https\n", client.get(url).await(PATIENCE).text());
      SecureServer.renew(server, chain, key);
      assertEquals("hello over https\n", client.get(url).await(PATIENCE).text());
    }
  }

  @Test
  void developmentCertificateIsRefusedByDefault() throws Exception {
    try (RunningServer server = SecureServer.development().listen(0);
        HttpClient client = HttpClient.create()) {
      ExecutionException failure =
          assertThrows(
              ExecutionException.class,
              () -> client.get("https://localhost:" + server.port()).await(PATIENCE));
      assertInstanceOf(TlsException.class, failure.getCause());
    }
  }

  @Test
  void plainClientsAreRedirected() throws Exception {
    HttpClientSettings settings = HttpClientSettings.DEFAULT;
    try (RunningServer server = SecureServer.redirecting().listen(0);
        HttpClient client =
            HttpClient.create(settings.withRequests(settings.requests().withMaxRedirects(0)))) {
      assertEquals(
          HttpStatus.PERMANENT_REDIRECT,
          client.get("http://localhost:" + server.port()).await(PATIENCE).status());
    }
  }

  @Test
  void clientsWithoutACertificateAreRefused() throws Exception {
    Keytool.Pair pair = Keytool.selfSigned("localhost");
    Path chain = pem("chain.pem", "CERTIFICATE", pair.certificate().getEncoded());
    TlsIdentity identity = TlsIdentity.of(pair.key(), List.of(pair.certificate()));
    TlsSettings mutual = SecureServer.mutual(identity, chain);
    try (RunningServer server =
            HttpServer.create(x -> x.fail(new IllegalStateException())).tls(mutual).listen(0);
        HttpClient client = SecureServer.client(chain)) {
      assertThrows(
          ExecutionException.class,
          () -> client.get("https://localhost:" + server.port()).await(PATIENCE));
    }
  }

  @Test
  void namesSelectIdentities() {
    Keytool.Pair pair = Keytool.selfSigned("localhost");
    TlsIdentity identity = TlsIdentity.of(pair.key(), List.of(pair.certificate()));
    assertEquals(2, SecureServer.byName(identity, identity).identities().byName().size());
  }
}
