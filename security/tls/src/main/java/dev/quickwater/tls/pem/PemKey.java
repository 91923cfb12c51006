package dev.quickwater.tls.pem;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// The private key of a PEM text: PKCS#8, encrypted PKCS#8, PKCS#1 (RSA) and SEC 1 (EC).
public final class PemKey {

  private PemKey() {}

  /// Reads the first private key.
  ///
  /// @param algorithm that of the certificate, for example `EC`
  /// @param password for an encrypted key, or null
  /// @throws IllegalArgumentException if there is no key, or it cannot be used; the message has the
  ///   source and the line
  public static PrivateKey read(
      String source, byte[] text, String algorithm, char @Nullable [] password) {
    PemText pem = PemText.parse(source, text);
    for (PemText.Block block : pem.blocks()) {
      if (block.label().endsWith("PRIVATE KEY")) {
        return key(pem.place(block), block, algorithm, password);
      }
    }
    throw new IllegalArgumentException(source + " has no block PRIVATE KEY");
  }

  private static PrivateKey key(
      String place, PemText.Block block, String algorithm, char @Nullable [] password) {
    if (block.encrypted()) {
      throw new IllegalArgumentException(
          place
              + " is encrypted in the legacy format of OpenSSL, which is insecure; convert it with"
              + " openssl pkcs8 -topk8");
    }
    byte[] content = block.content();
    return switch (block.label()) {
      case "PRIVATE KEY" -> pkcs8(place, content, algorithm);
      case "ENCRYPTED PRIVATE KEY" -> decrypt(place, content, algorithm, password);
      case "RSA PRIVATE KEY" -> pkcs8(place, KeyForms.rsaToPkcs8(content), algorithm);
      case "EC PRIVATE KEY" -> pkcs8(place, sec1ToPkcs8(place, content), algorithm);
      case String label ->
          throw new IllegalArgumentException(place + " has an unknown form of key: " + label);
    };
  }

  private static byte[] sec1ToPkcs8(String place, byte[] content) {
    try {
      return KeyForms.ecToPkcs8(content);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(place + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static PrivateKey pkcs8(String place, byte[] content, String algorithm) {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          place + " is not a key of type " + algorithm + ", which the certificate has", e);
    }
  }

  private static PrivateKey decrypt(
      String place, byte[] content, String algorithm, char @Nullable [] password) {
    if (password == null) {
      throw new IllegalArgumentException(place + " is encrypted, and no password is given");
    }
    PBEKeySpec spec = new PBEKeySpec(password);
    try {
      EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(content);
      // For PBES2, only the parameters have the name of the cipher.
      String cipherName =
          info.getAlgParameters() == null
              ? info.getAlgName()
              : info.getAlgName().startsWith("PBES2")
                      || info.getAlgName().equals("1.2.840.113549.1.5.13")
                  ? info.getAlgParameters().toString()
                  : info.getAlgName();
      SecretKey secret = SecretKeyFactory.getInstance(cipherName).generateSecret(spec);
      Cipher cipher = Cipher.getInstance(cipherName);
      cipher.init(Cipher.DECRYPT_MODE, secret, info.getAlgParameters());
      return KeyFactory.getInstance(algorithm).generatePrivate(info.getKeySpec(cipher));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          place + " cannot be decrypted with the password: " + e.getMessage(), e);
    } finally {
      spec.clearPassword();
    }
  }
}
