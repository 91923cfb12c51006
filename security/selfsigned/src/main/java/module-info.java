/// Certificates for development, by Bouncy Castle. Add this module to use `TlsSettings.selfSigned`.
module dev.quickwater.tls.selfsigned {
  requires dev.quickwater.tls;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires static org.jspecify;

  provides dev.quickwater.tls.SelfSigner with
      dev.quickwater.tls.selfsigned.BouncyCastleSigner;
}
