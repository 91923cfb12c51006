package dev.quickwater.tls.ocsp;

import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.library.StapledResponses;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A response (RFC 6960 section 4.2) that reports a certificate as good and was verified;
/// immutable.
public final class OcspResponse {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final byte SUCCESSFUL = 0;

  private final byte[] encoded;
  private final Instant thisUpdate;
  private final @Nullable Instant nextUpdate;

  /// @param encoded the response in DER, which is not copied
  public OcspResponse(byte[] encoded, Instant thisUpdate, @Nullable Instant nextUpdate) {
    this.encoded = encoded;
    this.thisUpdate = thisUpdate;
    this.nextUpdate = nextUpdate;
  }

  /// The response in DER, which must not be changed.
  public byte[] encoded() {
    return encoded;
  }

  /// When the state was known to be correct.
  public Instant thisUpdate() {
    return thisUpdate;
  }

  /// When newer information will be available; null if it is always available.
  public @Nullable Instant nextUpdate() {
    return nextUpdate;
  }

  /// Verifies a response: its signature, the certificate it is about, its times, and the state.
  ///
  /// @throws TlsException if it does not report the certificate as good, or cannot be trusted
  /// @throws IllegalArgumentException if the responder refused the request, or the response is
  ///   malformed
  public static OcspResponse verified(
      byte[] encoded, X509Certificate certificate, X509Certificate issuer) throws TlsException {
    OcspResponse response = read(encoded, certificate.getSerialNumber());
    StapledResponses.check(List.of(certificate, issuer), List.of(encoded));
    return response;
  }

  private static OcspResponse read(byte[] encoded, BigInteger serial) {
    Der response = Der.of(encoded).enter(Der.SEQUENCE);
    byte[] status = response.read(Der.ENUMERATED);
    if (status.length != 1 || status[0] != SUCCESSFUL) {
      throw new IllegalArgumentException("the responder answered with " + error(status));
    }
    Der typed = response.enter(Der.CONTEXT).enter(Der.SEQUENCE);
    typed.skip();
    Der data = typed.enter(Der.OCTET_STRING).enter(Der.SEQUENCE).enter(Der.SEQUENCE);
    if (data.isNext(Der.CONTEXT)) {
      data.skip(); // version
    }
    data.skip(); // responderID
    data.skip(); // producedAt
    Der responses = data.enter(Der.SEQUENCE);
    while (responses.hasNext()) {
      Der single = responses.enter(Der.SEQUENCE);
      Der id = single.enter(Der.SEQUENCE);
      id.skip(); // hashAlgorithm
      id.skip(); // issuerNameHash
      id.skip(); // issuerKeyHash
      byte[] number = id.read(Der.INTEGER);
      if (number.length > 0 && serial.equals(new BigInteger(number))) {
        return times(encoded, single);
      }
    }
    throw new IllegalArgumentException("the response is about other certificates");
  }

  private static OcspResponse times(byte[] encoded, Der single) {
    single.skip(); // certStatus
    Instant from = time(single.read(Der.GENERALIZED_TIME));
    @Nullable Instant to =
        single.isNext(Der.CONTEXT)
            ? time(single.enter(Der.CONTEXT).read(Der.GENERALIZED_TIME))
            : null;
    return new OcspResponse(encoded, from, to);
  }

  private static Instant time(byte[] text) {
    try {
      return LocalDateTime.parse(new String(text, StandardCharsets.US_ASCII), TIME)
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a time is malformed", e);
    }
  }

  /// The error codes of OCSPResponseStatus.
  private static String error(byte[] status) {
    return switch (status.length == 1 ? status[0] : -1) {
      case 1 -> "malformedRequest";
      case 2 -> "internalError";
      case 3 -> "tryLater";
      case 5 -> "sigRequired";
      case 6 -> "unauthorized";
      default -> "an unknown error";
    };
  }
}
