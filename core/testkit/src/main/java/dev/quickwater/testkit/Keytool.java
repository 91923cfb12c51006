package dev.quickwater.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.ConcurrentHashMap;

/// Self-signed certificates with a key on P-256, made by the JDK's keytool. A JVM has one for each
/// name.
public final class Keytool {

  private static final ConcurrentHashMap<String, Pair> PAIRS = new ConcurrentHashMap<>();
  private static final String PASSWORD = "password";

  /// A certificate and its key.
  public record Pair(X509Certificate certificate, PrivateKey key) {}

  private Keytool() {}

  /// A certificate for a host name and 127.0.0.1.
  public static Pair selfSigned(String name) {
    return PAIRS.computeIfAbsent(name, Keytool::create);
  }

  private static Pair create(String name) {
    try {
      Path folder = Files.createTempDirectory("qw-keys-");
      Path file = folder.resolve("keys.p12");
      try {
        run(name, file);
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        return new Pair(
            (X509Certificate) store.getCertificate("key"),
            (PrivateKey) store.getKey("key", PASSWORD.toCharArray()));
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(String name, Path file) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + name + ",ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
