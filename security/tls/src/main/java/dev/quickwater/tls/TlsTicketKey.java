package dev.quickwater.tls;

import java.security.SecureRandom;
import java.util.Arrays;

/// The secret that protects session tickets (RFC 5077 section 4); immutable.
///
/// A holder of the secret can decrypt recorded connections of TLS 1.2 that used it. Hosts that
/// share keys should replace them at least daily.
public final class TlsTicketKey {

  private static final int MIN_LENGTH = 32;

  private final byte[] secret;

  private TlsTicketKey(byte[] secret) {
    this.secret = secret;
  }

  /// The key of a shared secret.
  ///
  /// @param secret 32 random bytes or more, which are copied
  /// @throws IllegalArgumentException if the secret is shorter
  public static TlsTicketKey of(byte[] secret) {
    if (secret.length < MIN_LENGTH) {
      throw new IllegalArgumentException(
          "ticketKeys: a secret has "
              + secret.length
              + " bytes, expected "
              + MIN_LENGTH
              + " or more");
    }
    return new TlsTicketKey(secret.clone());
  }

  /// A new random key.
  public static TlsTicketKey random() {
    byte[] secret = new byte[MIN_LENGTH];
    new SecureRandom().nextBytes(secret);
    return new TlsTicketKey(secret);
  }

  /// A copy of the secret.
  public byte[] secret() {
    return secret.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TlsTicketKey key && Arrays.equals(secret, key.secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(secret);
  }

  /// Without the secret.
  @Override
  public String toString() {
    return "TlsTicketKey";
  }
}
