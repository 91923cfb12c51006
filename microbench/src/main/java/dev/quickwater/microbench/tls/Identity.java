package dev.quickwater.microbench.tls;

import dev.quickwater.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// A self-signed certificate for localhost with a key on P-256, for benchmarks only.
final class Identity {

  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBlTCCATugAwIBAgIURR0veuFkZ67D2zRKeDub508SZIQwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIwNDQxMFoYDzIxMjYxMDI5
      MjA0NDEwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAATgSb2WrwSV8jAHYcT6M39PsdJakjPyy4B7MnONY8SJcYoJVlYVUrhK
      k821BORnR0jd/FsjAw+Ej6XELp0DeUlKo2kwZzAdBgNVHQ4EFgQUKc82qQ+uopSk
      QTTpWsNhFRttRLgwHwYDVR0jBBgwFoAUKc82qQ+uopSkQTTpWsNhFRttRLgwDwYD
      VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
      SAAwRQIgfR7vzb8usFi79bDFj0YlldXoGbUKQ8UhqPT8cXnizyQCIQCncyX17fKk
      cTokxJvT9CAcnTi2nTBj3h84qzEjsdSQxw==
      -----END CERTIFICATE-----
      """;

  private static final String KEY =
      """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHpuj+AcJfeJHbzqF
      5GUR3NbVbDKMT0WUl20xkvBbZ8+hRANCAATgSb2WrwSV8jAHYcT6M39PsdJakjPy
      y4B7MnONY8SJcYoJVlYVUrhKk821BORnR0jd/FsjAw+Ej6XELp0DeUlK
      -----END PRIVATE KEY-----
      """;

  private Identity() {}

  static TlsIdentity ours() {
    return TlsIdentity.pem(bytes(CERTIFICATE), bytes(KEY), null);
  }

  static InputStream certificate() {
    return new ByteArrayInputStream(bytes(CERTIFICATE));
  }

  static InputStream key() {
    return new ByteArrayInputStream(bytes(KEY));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
