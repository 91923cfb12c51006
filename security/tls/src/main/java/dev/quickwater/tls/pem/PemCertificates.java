package dev.quickwater.tls.pem;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// The certificates of a PEM text, in their order.
public final class PemCertificates {

  private PemCertificates() {}

  /// Reads all blocks `CERTIFICATE`; other blocks are ignored.
  ///
  /// @throws IllegalArgumentException if there is none, or one is malformed; the message has the
  ///   source and the line
  public static List<X509Certificate> read(String source, byte[] text) {
    PemText pem = PemText.parse(source, text);
    List<X509Certificate> certificates = new ArrayList<>();
    for (PemText.Block block : pem.blocks()) {
      if (isCertificate(block.label())) {
        certificates.add(certificate(pem.place(block), block.content()));
      }
    }
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException(source + " has no block CERTIFICATE");
    }
    return certificates;
  }

  /// The second and third label are older ones of OpenSSL.
  private static boolean isCertificate(String label) {
    return label.equals("CERTIFICATE")
        || label.equals("X509 CERTIFICATE")
        || label.equals("TRUSTED CERTIFICATE");
  }

  private static X509Certificate certificate(String place, byte[] content) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(content));
    } catch (CertificateException e) {
      throw new IllegalArgumentException(place + " is not a certificate: " + e.getMessage(), e);
    }
  }
}
