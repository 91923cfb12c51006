package dev.quickwater.tls.ocsp;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The extensions of a certificate that concern OCSP.
public final class CertificateExtensions {

  private static final String TLS_FEATURE = "1.3.6.1.5.5.7.1.24";
  private static final String AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";

  /// The number of the extension status_request (RFC 6066 section 8).
  private static final byte[] STATUS_REQUEST = {5};

  /// 1.3.6.1.5.5.7.48.1, without tag and length.
  private static final byte[] OCSP = HexFormat.of().parseHex("2b06010505073001");

  /// The form uniformResourceIdentifier of GeneralName (RFC 5280 section 4.2.1.6).
  private static final int URI_NAME = Der.CONTEXT_PRIMITIVE + 6;

  private CertificateExtensions() {}

  /// True if a server with this certificate must staple an OCSP response (RFC 7633).
  ///
  /// @throws IllegalArgumentException if the extension is malformed
  public static boolean mustStaple(X509Certificate certificate) {
    byte @Nullable [] extension = certificate.getExtensionValue(TLS_FEATURE);
    if (extension == null) {
      return false;
    }
    Der features = Der.of(extension).enter(Der.OCTET_STRING).enter(Der.SEQUENCE);
    while (features.hasNext()) {
      if (Arrays.equals(features.read(Der.INTEGER), STATUS_REQUEST)) {
        return true;
      }
    }
    return false;
  }

  /// The first http address of a responder in the certificate (RFC 5280 section 4.2.2.1); null if
  /// there is none. An address that is no URI with a host is skipped.
  ///
  /// @throws IllegalArgumentException if the extension is malformed
  public static @Nullable URI responder(X509Certificate certificate) {
    byte @Nullable [] extension = certificate.getExtensionValue(AUTHORITY_INFORMATION_ACCESS);
    if (extension == null) {
      return null;
    }
    Der descriptions = Der.of(extension).enter(Der.OCTET_STRING).enter(Der.SEQUENCE);
    while (descriptions.hasNext()) {
      Der description = descriptions.enter(Der.SEQUENCE);
      boolean ocsp = Arrays.equals(description.read(Der.OBJECT_IDENTIFIER), OCSP);
      if (ocsp && description.isNext(URI_NAME)) {
        @Nullable URI uri = uri(new String(description.read(URI_NAME), StandardCharsets.US_ASCII));
        if (uri != null && "http".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null) {
          return uri;
        }
      }
    }
    return null;
  }

  private static @Nullable URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException _) {
      return null;
    }
  }
}
