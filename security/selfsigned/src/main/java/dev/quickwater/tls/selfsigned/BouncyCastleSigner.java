package dev.quickwater.tls.selfsigned;

import dev.quickwater.tls.SelfSigner;
import dev.quickwater.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Creates EC P-256 certificates by Bouncy Castle. The cryptography is that of the JDK.
public final class BouncyCastleSigner implements SelfSigner {

  /// Clocks of other machines may be behind.
  private static final Duration BACKDATED = Duration.ofDays(1);

  /// Long enough for development, too short for a server that is forgotten.
  private static final Duration LIFETIME = Duration.ofDays(90);

  /// Called by the service loader.
  public BouncyCastleSigner() {}

  @Override
  public TlsIdentity sign(List<String> names) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      KeyPair keys = generator.generateKeyPair();
      return TlsIdentity.of(keys.getPrivate(), List.of(certificate(names, keys)));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new IllegalStateException("cannot create a certificate for " + names, e);
    }
  }

  private static X509Certificate certificate(List<String> names, KeyPair keys)
      throws GeneralSecurityException, OperatorCreationException, IOException {
    Instant now = Instant.now();
    X500Name subject =
        new X500NameBuilder(BCStyle.INSTANCE)
            .addRDN(BCStyle.O, "Quickwater development certificate")
            .addRDN(BCStyle.CN, names.getFirst())
            .build();
    X509v3CertificateBuilder builder =
        new X509v3CertificateBuilder(
            subject,
            // Browsers refuse a second certificate with the same issuer and number.
            new BigInteger(127, new SecureRandom()).setBit(126),
            Date.from(now.minus(BACKDATED)),
            Date.from(now.plus(LIFETIME)),
            subject,
            SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded()));
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
    builder.addExtension(
        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(names.stream().map(BouncyCastleSigner::name).toArray(GeneralName[]::new)));
    ContentSigner signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
    byte[] encoded = builder.build(signer).getEncoded();
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  /// Only addresses begin with a digit and have no letters, or have a colon.
  private static GeneralName name(String name) {
    boolean address = name.indexOf(':') >= 0 || name.matches("[0-9.]+");
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name);
  }
}
