package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.SuiteTest;
import dev.quickwater.tls.testing.TestCa.Issue;
import dev.quickwater.tls.testing.TestCa.KeyType;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Handshakes that a [TlsSigner] signs. Only the JDK can use one, so the side with the signer uses
/// the JDK.
final class RemoteKeyTest extends SuiteTest {

  private final List<TlsSignatureScheme> schemes = new ArrayList<>();

  private static TlsIdentity local(KeyType type) {
    return Libraries.CA.issue(new Issue("remote").withNames("localhost").withKey(type));
  }

  private TlsIdentity remote(KeyType type) {
    TlsIdentity local = local(type);
    return TlsIdentity.signedBy(
        (scheme, message) -> {
          assertTrue(Thread.currentThread().isVirtual());
          schemes.add(scheme);
          return CompletableFuture.supplyAsync(() -> sign(local, scheme, message));
        },
        local.chain());
  }

  private static byte[] sign(TlsIdentity local, TlsSignatureScheme scheme, byte[] message) {
    try {
      Signature signature = scheme.signature();
      signature.initSign(local.key());
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void signatureWithoutAHandshakeHasAClearError() throws GeneralSecurityException {
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(remote(KeyType.EC_P256).key());
    signature.update(new byte[10]);
    SignatureException refused = assertThrows(SignatureException.class, signature::sign);
    assertEquals(
        "the private key belongs to a TlsSigner, which signs only TLS handshakes",
        refused.getMessage());
    assertEquals(List.of(), schemes);
  }

  private static Stream<Arguments> versionsAndKeys() {
    return Stream.of(Version.values())
        .flatMap(version -> Stream.of(KeyType.values()).map(type -> Arguments.of(version, type)));
  }

  private TlsSettings client(Version version) {
    return libraries.clientSettings().withProtocols(Libraries.only(version));
  }

  private static TlsSettings server(TlsIdentity identity) {
    return TlsSettings.server(identity).withLibrary(TlsLibrary.JDK);
  }

  @ParameterizedTest
  @MethodSource("versionsAndKeys")
  void serverSignsByCallback(Version version, KeyType type) {
    try (EnginePair pair = Libraries.pair(client(version), server(remote(type)), "localhost")) {
      assertOpen(pair.handshake());
      pair.exchange(pair.client().write(new byte[10]), pair.server().write(new byte[20]));
      assertEquals(10, pair.server().received().length);
      assertEquals(20, pair.client().received().length);
      TlsSignatureScheme expected =
          switch (type) {
            case RSA_2048 -> TlsSignatureScheme.RSA_PSS_RSAE_SHA256;
            case EC_P256 -> TlsSignatureScheme.ECDSA_SECP256R1_SHA256;
            case ED25519 -> TlsSignatureScheme.ED25519;
          };
      assertEquals(List.of(expected), schemes);
    }
  }

  @ParameterizedTest
  @MethodSource("versionsAndKeys")
  void clientSignsByCallback(Version version, KeyType type) {
    TlsSettings client =
        client(version).withLibrary(TlsLibrary.JDK).withIdentities(TlsIdentities.of(remote(type)));
    TlsSettings server =
        libraries
            .serverSettings()
            .withTrust(
                TlsTrust.DEFAULT
                    .withCertificates(Libraries.CA.certificate())
                    .withClientAuth(ClientAuth.REQUIRED));
    try (EnginePair pair = Libraries.pair(client, server, "localhost")) {
      assertOpen(pair.handshake());
      assertEquals(1, schemes.size());
      pair.exchange(pair.client().write(new byte[10]), new byte[0]);
      assertEquals(10, pair.server().received().length);
    }
  }

  private void assertFailsWith(TlsSigner signer, String text) {
    TlsIdentity identity = TlsIdentity.signedBy(signer, local(KeyType.EC_P256).chain());
    for (Version version : Version.values()) {
      try (EnginePair pair = Libraries.pair(client(version), server(identity), "localhost")) {
        pair.handshake();
        assertRefuses(pair.server(), TlsAlert.INTERNAL_ERROR, text);
        TlsException refused = pair.client().failure();
        assertNotNull(refused);
        assertEquals(TlsException.Side.PEER, refused.side());
      }
    }
  }

  @Test
  void failedSignersHaveOneClearError() {
    assertFailsWith(
        (_, _) -> {
          throw new IllegalStateException("the module is locked");
        },
        "the module is locked");
    assertFailsWith(
        (_, _) -> CompletableFuture.failedFuture(new IllegalStateException("no connection")),
        "no connection");
    assertFailsWith(
        (_, _) -> {
          throw new NoClassDefFoundError("no/Module");
        },
        "no/Module");
    assertFailsWith((_, _) -> CompletableFuture.completedFuture(new byte[64]), "does not verify");
    assertFailsWith((_, _) -> CompletableFuture.completedFuture(new byte[0]), "does not verify");
    assertFailsWith(
        (scheme, _) ->
            CompletableFuture.completedFuture(sign(Libraries.LOCALHOST, scheme, new byte[] {1})),
        "does not verify");
  }

  @Test
  @SuppressWarnings("NullAway") // the rule that the signer breaks
  void signerWithoutAnAnswerIsAnError() {
    assertFailsWith((_, _) -> null, "returned null");
    assertFailsWith((_, _) -> CompletableFuture.completedFuture(null), "returned null");
  }

  @Test
  void dataBehindTheHandshakeIsKept() {
    TlsSettings client =
        client(Version.TLS_1_3)
            .withLibrary(TlsLibrary.JDK)
            .withSessions(TlsSessions.OFF)
            .withIdentities(TlsIdentities.of(remote(KeyType.EC_P256)));
    try (EnginePair pair = Libraries.pair(client, server(remote(KeyType.EC_P256)), "localhost")) {
      pair.server().start();
      byte[] toServer = pair.client().start();
      byte[] toClient = pair.server().receive(toServer);
      byte[] finished = pair.client().receive(toClient);
      // The end of the handshake and data in one piece.
      pair.server().receive(join(finished, pair.client().write(new byte[10])));
      assertOpen(pair);
      assertEquals(10, pair.server().received().length);
    }
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  @Test
  void refusedInputHasAnAlert() {
    for (Version version : Version.values()) {
      TlsSettings server = server(remote(KeyType.EC_P256));
      try (EnginePair pair = Libraries.pair(client(version), server, "localhost")) {
        pair.server().start();
        byte[] toClient = pair.server().receive(pair.client().start());
        pair.client().receive(toClient);
        byte[] alert = pair.server().receive(HexFormat.of().parseHex("160909000401020304"));
        assertRefuses(pair.server(), TlsAlert.PROTOCOL_VERSION, "0x909");
        pair.client().receive(alert);
        TlsException refused = pair.client().failure();
        assertNotNull(refused);
        assertEquals(TlsException.Side.PEER, refused.side());
      }
    }
  }

  @Test
  void resumedSessionsNeedNoSignature() {
    try (TlsContext client = TlsContext.client(client(Version.TLS_1_3));
        TlsContext server = TlsContext.server(server(remote(KeyType.EC_P256)))) {
      for (int i = 0; i < 2; i++) {
        try (EnginePair pair = new EnginePair(client, server, "localhost", 443)) {
          assertOpen(pair.handshake());
          pair.exchange(new byte[0], pair.server().write(new byte[1]));
          assertEquals(i == 1, pair.client().engine().session().resumed());
        }
      }
      assertEquals(1, schemes.size());
    }
  }

  @Test
  void nothingRunsOnAnotherThreadWithALocalKey() throws TlsException {
    try (EnginePair pair =
        Libraries.pair(client(Version.TLS_1_3), libraries.serverSettings(), "localhost")) {
      pair.server().start();
      pair.server().engine().receive(ByteBuf.wrap(pair.client().start()));
      assertNull(pair.server().engine().read());
      assertNull(pair.server().engine().takeTask());
    }
  }

  @Test
  void openSslRefusesASigner() {
    TlsSettings settings = TlsSettings.server(remote(KeyType.EC_P256));
    if (libraries.server() == TlsLibrary.OPENSSL) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> TlsContext.server(settings.withLibrary(TlsLibrary.OPENSSL)));
      assertTrue(refused.getMessage().contains("identities"), refused::getMessage);
      assertTrue(refused.getMessage().contains("library JDK"), refused::getMessage);
    }
    try (TlsContext context = TlsContext.server(settings)) {
      assertTrue(context.description().endsWith("a TlsSigner has a private key"));
    }
  }
}
