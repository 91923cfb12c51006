package dev.quickwater.tls.testing;

import dev.quickwater.tls.TlsIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.UnknownStatus;
import org.bouncycastle.cert.ocsp.jcajce.JcaRespID;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DigestCalculator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jspecify.annotations.Nullable;

/// A certification authority that exists in this JVM only.
public final class TestCa {

  /// The types of keys.
  public enum KeyType {
    RSA_2048,
    EC_P256,
    ED25519
  }

  private static final AtomicLong SERIAL = new AtomicLong(1000);

  private final KeyPair keys;
  private final X509Certificate certificate;

  /// The certificates from this authority up to the one below its root.
  private final List<X509Certificate> chain;

  private TestCa(KeyPair keys, X509Certificate certificate, List<X509Certificate> chain) {
    this.keys = keys;
    this.certificate = certificate;
    this.chain = chain;
  }

  /// An authority that signs itself.
  public static TestCa root(String name) {
    KeyPair keys = keys(KeyType.EC_P256);
    Issue issue = new Issue(name).withCa();
    return new TestCa(keys, issue.sign(keys.getPublic(), name(name), keys), List.of());
  }

  /// The holder of a certificate who issues others without the right to.
  public static TestCa of(TlsIdentity identity) {
    X509Certificate own = identity.chain().getFirst();
    return new TestCa(new KeyPair(own.getPublicKey(), identity.key()), own, identity.chain());
  }

  /// An authority that this one has certified.
  public TestCa intermediate(String name) {
    KeyPair below = keys(KeyType.EC_P256);
    X509Certificate signed =
        new Issue(name).withCa().sign(below.getPublic(), subject(certificate), keys);
    List<X509Certificate> path = new ArrayList<>();
    path.add(signed);
    path.addAll(chain);
    return new TestCa(below, signed, path);
  }

  public X509Certificate certificate() {
    return certificate;
  }

  /// An identity with an EC key that is valid for these names.
  public TlsIdentity issue(String... names) {
    return issue(new Issue("leaf").withNames(names));
  }

  /// An identity as described.
  public TlsIdentity issue(Issue issue) {
    KeyPair leaf = keys(issue.keyType);
    List<X509Certificate> path = new ArrayList<>();
    path.add(issue.sign(leaf.getPublic(), subject(certificate), keys));
    path.addAll(chain);
    return TlsIdentity.of(leaf.getPrivate(), path);
  }

  /// A self-signed identity.
  public static TlsIdentity selfSigned(Issue issue) {
    KeyPair leaf = keys(issue.keyType);
    X509Certificate signed = issue.sign(leaf.getPublic(), name(issue.commonName), leaf);
    return TlsIdentity.of(leaf.getPrivate(), List.of(signed));
  }

  /// What an OCSP response reports.
  public enum Status {
    GOOD,
    REVOKED,
    UNKNOWN
  }

  /// An OCSP response of this authority.
  ///
  /// @param from when the status was known
  /// @param to when newer information is available
  public byte[] ocsp(X509Certificate about, Status status, Instant from, Instant to) {
    try {
      DigestCalculator sha1 =
          new JcaDigestCalculatorProviderBuilder().build().get(CertificateID.HASH_SHA1);
      BasicOCSPRespBuilder builder =
          new BasicOCSPRespBuilder(new JcaRespID(keys.getPublic(), sha1));
      CertificateID id =
          new CertificateID(
              sha1, new JcaX509CertificateHolder(certificate), about.getSerialNumber());
      @Nullable CertificateStatus text =
          switch (status) {
            case GOOD -> CertificateStatus.GOOD;
            case REVOKED ->
                new RevokedStatus(
                    Date.from(from.minus(Duration.ofDays(1))), CRLReason.keyCompromise);
            case UNKNOWN -> new UnknownStatus();
          };
      builder.addResponse(id, text, Date.from(from), Date.from(to));
      return new OCSPRespBuilder()
          .build(OCSPRespBuilder.SUCCESSFUL, builder.build(signer(keys), null, Date.from(from)))
          .getEncoded();
    } catch (GeneralSecurityException | OperatorCreationException | OCSPException | IOException e) {
      throw new IllegalStateException(OCSPObjectIdentifiers.id_pkix_ocsp.getId(), e);
    }
  }

  public byte[] ocsp(X509Certificate about, Status status) {
    Instant now = Instant.now();
    return ocsp(about, status, now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(1)));
  }

  private static KeyPair keys(KeyType type) {
    try {
      return switch (type) {
        case RSA_2048 -> {
          KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
          rsa.initialize(2048);
          yield rsa.generateKeyPair();
        }
        case EC_P256 -> {
          KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
          ec.initialize(256);
          yield ec.generateKeyPair();
        }
        case ED25519 -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      };
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ContentSigner signer(KeyPair keys) {
    String algorithm =
        switch (keys.getPublic().getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "Ed25519";
        };
    try {
      return new JcaContentSignerBuilder(algorithm).build(keys.getPrivate());
    } catch (OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X500Name name(String commonName) {
    return subjectOf(new X500Principal("CN=" + commonName));
  }

  private static X500Name subject(X509Certificate certificate) {
    return subjectOf(certificate.getSubjectX500Principal());
  }

  private static X500Name subjectOf(X500Principal principal) {
    return X500Name.getInstance(principal.getEncoded());
  }

  /// What a certificate contains.
  public static final class Issue {
    private final String commonName;
    private final List<GeneralName> names = new ArrayList<>();
    private KeyType keyType = KeyType.EC_P256;
    private Instant from = Instant.now().minus(Duration.ofDays(1));
    private Instant to = Instant.now().plus(Duration.ofDays(30));
    private boolean authority;
    private @Nullable KeyPurposeId usage;
    private boolean mustStaple;
    private @Nullable String responder;

    public Issue(String commonName) {
      this.commonName = commonName;
    }

    /// Host names and IP addresses.
    public Issue withNames(String... texts) {
      for (String text : texts) {
        boolean address = text.matches("[0-9.]+|[0-9a-f:]+:[0-9a-f:]*");
        names.add(new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, text));
      }
      return this;
    }

    public Issue withKey(KeyType other) {
      keyType = other;
      return this;
    }

    public Issue valid(Duration begins, Duration ends) {
      from = Instant.now().plus(begins);
      to = Instant.now().plus(ends);
      return this;
    }

    public Issue expired() {
      return valid(Duration.ofDays(-30), Duration.ofDays(-1));
    }

    public Issue notYetValid() {
      return valid(Duration.ofDays(1), Duration.ofDays(30));
    }

    public Issue withUsage(KeyPurposeId other) {
      usage = other;
      return this;
    }

    /// Requires a stapled OCSP response (RFC 7633).
    public Issue withMustStaple() {
      mustStaple = true;
      return this;
    }

    /// The address of an OCSP responder.
    public Issue withResponder(String url) {
      responder = url;
      return this;
    }

    private Issue withCa() {
      authority = true;
      return this;
    }

    private X509Certificate sign(PublicKey subject, X500Name issuer, KeyPair issuerKeys) {
      X509v3CertificateBuilder builder =
          new X509v3CertificateBuilder(
              issuer,
              BigInteger.valueOf(SERIAL.incrementAndGet()),
              Date.from(from),
              Date.from(to),
              name(commonName),
              SubjectPublicKeyInfo.getInstance(subject.getEncoded()));
      try {
        if (authority) {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
          builder.addExtension(
              Extension.keyUsage,
              true,
              new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
        }
        if (!names.isEmpty()) {
          builder.addExtension(
              Extension.subjectAlternativeName,
              false,
              new GeneralNames(names.toArray(GeneralName[]::new)));
        }
        if (usage != null) {
          builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(usage));
        }
        if (mustStaple) {
          builder.addExtension(
              new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.24"),
              false,
              new DERSequence(new ASN1Integer(5)));
        }
        if (responder != null) {
          builder.addExtension(
              Extension.authorityInfoAccess,
              false,
              new AuthorityInformationAccess(
                  AccessDescription.id_ad_ocsp,
                  new GeneralName(GeneralName.uniformResourceIdentifier, responder)));
        }
        byte[] der = builder.build(signer(issuerKeys)).getEncoded();
        return (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der));
      } catch (CertIOException | GeneralSecurityException e) {
        throw new IllegalStateException(e);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
