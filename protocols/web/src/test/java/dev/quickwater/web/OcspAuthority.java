package dev.quickwater.web;

import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// An authority of the program `openssl`, with one certificate for `localhost` that requires a
/// stapled response, and a responder.
final class OcspAuthority {

  private final Path dir;

  /// @param dir an empty directory
  /// @param responder the address in the certificate; empty for none
  OcspAuthority(Path dir, String responder) throws Exception {
    this.dir = dir;
    Files.writeString(
        dir.resolve("ca.cnf"),
        """
        [req]
        distinguished_name = dn
        [dn]
        [ca]
        basicConstraints = critical,CA:TRUE
        keyUsage = critical,keyCertSign,digitalSignature
        [leaf]
        subjectAltName = DNS:localhost
        tlsfeature = status_request
        """
            + (responder.isEmpty() ? "" : "authorityInfoAccess = OCSP;URI:" + responder + "\n"));
    key("ca.key");
    key("leaf.key");
    openssl(
        "req",
        "-x509",
        "-new",
        "-key",
        "ca.key",
        "-subj",
        "/CN=OCSP test",
        "-days",
        "2",
        "-config",
        "ca.cnf",
        "-extensions",
        "ca",
        "-out",
        "ca.pem");
    openssl(
        "req",
        "-new",
        "-key",
        "leaf.key",
        "-subj",
        "/CN=leaf",
        "-config",
        "ca.cnf",
        "-out",
        "leaf.csr");
    openssl(
        "x509",
        "-req",
        "-in",
        "leaf.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-set_serial",
        "0xD5",
        "-days",
        "2",
        "-extfile",
        "ca.cnf",
        "-extensions",
        "leaf",
        "-out",
        "leaf.pem");
    Files.writeString(
        dir.resolve("chain.pem"),
        Files.readString(dir.resolve("leaf.pem")) + Files.readString(dir.resolve("ca.pem")));
    report("V\t491231235959Z\t\t");
  }

  private void key(String name) throws Exception {
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", name);
  }

  private void report(String state) throws IOException {
    Files.writeString(dir.resolve("index.txt"), state + "D5\tunknown\t/CN=leaf\n");
  }

  void revoke() throws IOException {
    report("R\t491231235959Z\t250101000000Z\t");
  }

  TlsIdentity identity() {
    return TlsIdentity.pem(dir.resolve("chain.pem"), dir.resolve("leaf.key"));
  }

  TlsSettings client() {
    return TlsSettings.client().withTrust(TlsTrust.DEFAULT.withCertificates(dir.resolve("ca.pem")));
  }

  /// The answer of the program to a request.
  byte[] answer(byte[] request) throws Exception {
    return answer(request, List.of("-nmin", "60"));
  }

  /// An answer that does not state when it ends.
  byte[] undatedAnswer(byte[] request) throws Exception {
    return answer(request, List.of());
  }

  private byte[] answer(byte[] request, List<String> life) throws Exception {
    Files.write(dir.resolve("request.der"), request);
    List<String> command = new ArrayList<>(life);
    command.addAll(
        0,
        List.of(
            "ocsp",
            "-index",
            "index.txt",
            "-CA",
            "ca.pem",
            "-rsigner",
            "ca.pem",
            "-rkey",
            "ca.key",
            "-reqin",
            "request.der",
            "-respout",
            "response.der"));
    openssl(command.toArray(String[]::new));
    return Files.readAllBytes(dir.resolve("response.der"));
  }

  /// A responder of the program, on a free port.
  Responder responder() throws Exception {
    Process process =
        start(
            "ocsp",
            "-index",
            "index.txt",
            "-CA",
            "ca.pem",
            "-rsigner",
            "ca.pem",
            "-rkey",
            "ca.key",
            "-nmin",
            "60",
            "-port",
            "0");
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line; (line = output.readLine()) != null; ) {
      if (line.startsWith("ACCEPT ")) {
        String port = line.replaceAll("^ACCEPT .*:(\\d+).*$", "$1");
        return new Responder(process, "http://127.0.0.1:" + port);
      }
    }
    throw new IOException("openssl ocsp does not listen");
  }

  record Responder(Process process, String url) implements AutoCloseable {
    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
  }

  private void openssl(String... arguments) throws Exception {
    Process process = start(arguments);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", arguments) + ": " + output);
    }
  }

  static boolean isPossible() {
    try {
      return new ProcessBuilder("openssl", "version").start().waitFor() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
