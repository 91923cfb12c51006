package dev.quickwater.tls.library;

import dev.quickwater.tls.TlsAlert;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import org.jspecify.annotations.Nullable;

/// The alert for a chain that a trust manager refused.
final class ChainAlerts {

  /// Causes are nested by two or three. The limit ends cycles.
  private static final int MAX_DEPTH = 16;

  private ChainAlerts() {}

  /// The alert.
  ///
  /// @param ofUser whether the trust manager is one of the user; its unknown reasons become
  ///   certificate_unknown
  static TlsAlert of(CertificateException failure, boolean ofUser) {
    @Nullable Throwable cause = failure;
    boolean noPath = false;
    for (int i = 0; cause != null && i < MAX_DEPTH; i++) {
      if (cause instanceof CertificateExpiredException
          || cause instanceof CertificateNotYetValidException) {
        return TlsAlert.CERTIFICATE_EXPIRED;
      }
      if (cause instanceof CertPathValidatorException invalid) {
        @Nullable TlsAlert alert = of(invalid);
        if (alert != null) {
          return alert;
        }
      }
      noPath |= cause instanceof CertPathBuilderException;
      cause = cause.getCause();
    }
    if (noPath) {
      return TlsAlert.UNKNOWN_CA;
    }
    return ofUser ? TlsAlert.CERTIFICATE_UNKNOWN : TlsAlert.BAD_CERTIFICATE;
  }

  private static @Nullable TlsAlert of(CertPathValidatorException invalid) {
    CertPathValidatorException.Reason reason = invalid.getReason();
    return switch (reason) {
      case BasicReason basic ->
          switch (basic) {
            case EXPIRED, NOT_YET_VALID -> TlsAlert.CERTIFICATE_EXPIRED;
            case REVOKED -> TlsAlert.CERTIFICATE_REVOKED;
            case UNDETERMINED_REVOCATION_STATUS -> TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE;
            case ALGORITHM_CONSTRAINED -> TlsAlert.UNSUPPORTED_CERTIFICATE;
            case INVALID_SIGNATURE -> TlsAlert.BAD_CERTIFICATE;
            case UNSPECIFIED -> null;
          };
      case PKIXReason pkix ->
          pkix == PKIXReason.NO_TRUST_ANCHOR ? TlsAlert.UNKNOWN_CA : TlsAlert.BAD_CERTIFICATE;
      case null, default -> null;
    };
  }
}
