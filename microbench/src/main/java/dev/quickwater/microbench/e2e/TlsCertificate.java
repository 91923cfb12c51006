package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A self-signed certificate of `localhost` with an ECDSA key on P-256, which the openssl program
/// makes.
record TlsCertificate(Path chain, Path key) {

  static TlsCertificate in(Path folder) throws IOException, InterruptedException {
    TlsCertificate made = new TlsCertificate(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    var _ =
        Tools.output(
            List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost",
                "-days",
                "2",
                "-out",
                made.chain.toString(),
                "-keyout",
                made.key.toString()));
    return made;
  }
}
