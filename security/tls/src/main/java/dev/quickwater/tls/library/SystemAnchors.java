package dev.quickwater.tls.library;

import dev.quickwater.system.Settings;
import dev.quickwater.tls.pem.PemCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The certificates that the operating system trusts, loaded once: the file that the environment
/// variable `SSL_CERT_FILE` names, or without the variable the first bundle that can be used. If
/// there is none, the store of the JDK.
final class SystemAnchors {

  private static final System.Logger LOG = System.getLogger(SystemAnchors.class.getName());

  /// Debian and Alpine, Fedora and Red Hat, macOS and the BSDs.
  private static final List<Path> BUNDLES =
      List.of(
          Path.of("/etc/ssl/certs/ca-certificates.crt"),
          Path.of("/etc/pki/tls/certs/ca-bundle.crt"),
          Path.of("/etc/ssl/cert.pem"));

  private SystemAnchors() {}

  /// The trust manager and its anchors.
  record Loaded(X509TrustManager manager, List<X509Certificate> certificates) {}

  private static final class Holder {
    static final Loaded LOADED = load(Settings.CERTIFICATE_FILE, BUNDLES);
  }

  static X509TrustManager manager() {
    return Holder.LOADED.manager;
  }

  static List<X509Certificate> certificates() {
    return Holder.LOADED.certificates;
  }

  /// Loads the anchors.
  ///
  /// @param chosen the file to use instead of the bundles; null or empty for none
  static Loaded load(@Nullable String chosen, List<Path> bundles) {
    List<Path> files = chosen == null || chosen.isEmpty() ? bundles : List.of(Path.of(chosen));
    if (files != bundles && !Files.isReadable(files.getFirst())) {
      LOG.log(System.Logger.Level.WARNING, "SSL_CERT_FILE is {0}, which cannot be read", chosen);
    }
    for (Path file : files) {
      if (Files.isReadable(file)) {
        try {
          List<X509Certificate> certificates =
              PemCertificates.read(file.toString(), Files.readAllBytes(file));
          return new Loaded(PlatformTrust.manager(certificates), List.copyOf(certificates));
        } catch (IOException | IllegalArgumentException e) {
          LOG.log(System.Logger.Level.WARNING, "cannot use the certificates of " + file, e);
        }
      }
    }
    try {
      X509TrustManager ofJdk = PlatformTrust.ofJdk();
      return new Loaded(ofJdk, new ArrayList<>(List.of(ofJdk.getAcceptedIssuers())));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("anchors of the system cannot be loaded", e);
    }
  }
}
