package dev.quickwater.tls.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.util.io.pem.PemGenerationException;

/// Keys and certificates as PEM, in every form.
public final class PemTexts {

  private PemTexts() {}

  public static byte[] certificates(List<X509Certificate> chain) {
    StringBuilder text = new StringBuilder("a comment\n");
    for (X509Certificate certificate : chain) {
      try {
        text.append(block("CERTIFICATE", certificate.getEncoded()));
      } catch (CertificateEncodingException e) {
        throw new IllegalStateException(e);
      }
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  public static byte[] pkcs8(PrivateKey key) {
    return bytes(block("PRIVATE KEY", key.getEncoded()));
  }

  public static byte[] pkcs1(PrivateKey key) {
    try {
      byte[] content =
          PrivateKeyInfo.getInstance(key.getEncoded())
              .parsePrivateKey()
              .toASN1Primitive()
              .getEncoded();
      return bytes(block("RSA PRIVATE KEY", content));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// SEC 1 with the parameters of the curve before and within the key, as OpenSSL writes it.
  public static byte[] sec1(PrivateKey key, boolean withCurve) {
    try {
      PrivateKeyInfo info = PrivateKeyInfo.getInstance(key.getEncoded());
      var curve = info.getPrivateKeyAlgorithm().getParameters();
      var value = ((ECPrivateKey) key).getS();
      var content =
          withCurve
              ? new org.bouncycastle.asn1.sec.ECPrivateKey(256, value, curve)
              : new org.bouncycastle.asn1.sec.ECPrivateKey(256, value);
      return bytes(
          block("EC PARAMETERS", curve.toASN1Primitive().getEncoded())
              + block("EC PRIVATE KEY", content.getEncoded()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// PKCS#8 with PBES2, as OpenSSL encrypts it.
  public static byte[] encrypted(PrivateKey key, String password) {
    try {
      byte[] content =
          new JcaPKCS8Generator(
                  key,
                  new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                      .setProvider(new BouncyCastleProvider())
                      .setPassword(password.toCharArray())
                      .build())
              .generate()
              .getContent();
      return bytes(block("ENCRYPTED PRIVATE KEY", content));
    } catch (OperatorCreationException | PemGenerationException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String block(String label, byte[] content) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
