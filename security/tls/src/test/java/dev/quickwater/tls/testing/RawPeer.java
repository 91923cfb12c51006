package dev.quickwater.tls.testing;

import dev.quickwater.tls.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// A peer that does what the engine under test never does: it trusts every peer, renegotiates, and
/// sends records without data.
public final class RawPeer {

  private final SSLEngine engine;
  private byte[] pending = new byte[0];

  private RawPeer(SSLEngine engine) {
    this.engine = engine;
  }

  public static RawPeer client(String version) {
    SSLEngine engine = context(null).createSSLEngine("localhost", 443);
    engine.setUseClientMode(true);
    engine.setEnabledProtocols(new String[] {version});
    return new RawPeer(engine);
  }

  public static RawPeer server(TlsIdentity identity, String version) {
    SSLEngine engine = context(identity).createSSLEngine();
    engine.setUseClientMode(false);
    engine.setEnabledProtocols(new String[] {version});
    return new RawPeer(engine);
  }

  private static SSLContext context(@Nullable TlsIdentity identity) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      if (identity != null) {
        store.setKeyEntry(
            "key", identity.key(), new char[0], identity.chain().toArray(Certificate[]::new));
      }
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[] {new TrustsAll()}, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Begins a handshake. On an open connection, that is a renegotiation in TLS 1.2, and KeyUpdate
  /// in TLS 1.3.
  public byte[] handshake() throws SSLException {
    engine.beginHandshake();
    return proceed();
  }

  /// One record, which may be empty.
  public byte[] record(byte... data) throws SSLException {
    ByteBuffer out = ByteBuffer.allocate(1 << 15);
    engine.wrap(ByteBuffer.wrap(data), out);
    return Arrays.copyOf(out.array(), out.position());
  }

  /// Processes records and returns the answer; plaintext is discarded.
  public byte[] receive(byte[] records) throws SSLException {
    byte[] all = Arrays.copyOf(pending, pending.length + records.length);
    System.arraycopy(records, 0, all, pending.length, records.length);
    ByteBuffer in = ByteBuffer.wrap(all);
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    SSLEngineResult result;
    do {
      result = engine.unwrap(in, ByteBuffer.allocate(1 << 15));
      answer.writeBytes(proceed());
    } while (in.hasRemaining() && result.getStatus() == SSLEngineResult.Status.OK);
    pending = Arrays.copyOfRange(all, in.position(), all.length);
    return answer.toByteArray();
  }

  private byte[] proceed() throws SSLException {
    ByteArrayOutputStream produced = new ByteArrayOutputStream();
    while (true) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        for (@Nullable Runnable task; (task = engine.getDelegatedTask()) != null; ) {
          task.run();
        }
      } else if (status == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
        produced.writeBytes(record());
      } else {
        return produced.toByteArray();
      }
    }
  }

  /// Performs the handshake with an engine under test.
  ///
  /// @param client whether this side is the client
  public RawPeer open(EnginePair.Peer peer, boolean client) throws SSLException {
    byte[] toRaw = peer.start();
    byte[] toPeer = client ? handshake() : new byte[0];
    while (toRaw.length + toPeer.length > 0) {
      byte[] answer = toRaw.length > 0 ? receive(toRaw) : new byte[0];
      toRaw = toPeer.length > 0 ? peer.receive(toPeer) : new byte[0];
      toPeer = answer;
    }
    return this;
  }

  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
