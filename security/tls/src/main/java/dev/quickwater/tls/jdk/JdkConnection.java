package dev.quickwater.tls.jdk;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSession;
import dev.quickwater.tls.library.BlockingStep;
import dev.quickwater.tls.library.LibraryConnection;
import dev.quickwater.tls.library.RecordOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// A connection of the JDK.
///
/// - **Tasks** of the handshake run on the calling thread, unless the private key is a [RemoteKey]:
///   then everything up to the end of the handshake is a [BlockingStep], because the JDK signs in a
///   task, or in the middle of a call when it is a client of TLS 1.3.
/// - **Half-close:** in TLS 1.2, the JDK ends both directions when the peer ends one (RFC 5246
///   section 7.2.1). Data that is sent afterwards is refused.
/// - **Alerts:** the JDK selects the alert for a refused certificate by fixed rules. An alert that
///   is not encrypted is corrected in its record. In TLS 1.3 the peer may receive
///   certificate_unknown in place of unknown_ca and other alerts.
/// - **Long records:** the JDK accepts records with more than 2^14 bytes of data. This class
///   refuses them; the peer receives no alert.
public final class JdkConnection implements LibraryConnection {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private static final String TLS_1_2 = "TLSv1.2";
  private static final int HANDSHAKE_RECORD = 22;
  private static final int HEADER = 5;
  private static final int MAX_FRAGMENT = 1 << 14;

  /// Calls of the engine in a row without progress, after which it is considered faulty. The JDK
  /// needs at most two.
  private static final int MAX_IDLE_CALLS = 16;

  private final SSLEngine engine;
  private final @Nullable TlsIdentity identity;
  private final @Nullable String host;
  private @Nullable TlsException refusal;
  private boolean certificatesExchanged;
  private boolean refusesHandshake;
  private boolean renegotiates;
  private boolean open;
  private boolean inputEnded;
  private @Nullable BlockingStep step;

  /// A connection with an engine in its initial state.
  ///
  /// @param identity what this side presents
  /// @param host the name that a server must have, or null if it is not verified
  JdkConnection(SSLEngine engine, @Nullable TlsIdentity identity, @Nullable String host) {
    this.engine = engine;
    this.identity = identity;
    this.host = host;
  }

  @Nullable TlsIdentity identity() {
    return identity;
  }

  @Nullable String host() {
    return host;
  }

  /// The handshake needs a key or checks certificates. A resumed handshake does not, but a server
  /// of the JDK requests its key while it decrypts a ticket, when there is no session yet.
  void certificatesExchanged() {
    if (engine.getHandshakeSession() != null) {
      certificatesExchanged = true;
    }
  }

  /// The peer is not trusted. The JDK throws another exception, which has less detail.
  void refuse(TlsException reason) {
    refusal = reason;
  }

  @Override
  public void start(RecordOutput output) throws TlsException {
    Scratch scratch = Scratch.enter(this);
    try {
      engine.beginHandshake();
      proceed(engine.getHandshakeStatus(), scratch, output);
      scratch.flush(output);
    } catch (SSLException | RuntimeException e) {
      throw fail(e, scratch, output);
    } finally {
      scratch.leave();
    }
  }

  @Override
  public int receive(ByteBuf records, int end, ByteBuf plaintext, RecordOutput output)
      throws TlsException {
    if (!open && identity != null && identity.isRemote()) {
      step = new BlockingStep(records.readBytes(end - records.readerIndex()), this::handshake);
      return 0;
    }
    Scratch scratch = Scratch.enter(this);
    try {
      ByteBuffer source = scratch.copy(records, end);
      int to = plaintext.writerIndex();
      ByteBuffer target = UnsafeViews.byteBuffer(plaintext, to, plaintext.writableBytes());
      int empty = unwrap(source, target, scratch, output);
      scratch.flush(output);
      plaintext.writerIndex(to + target.position());
      records.readerIndex(end);
      return empty;
    } catch (SSLException | RuntimeException e) {
      throw fail(e, scratch, output);
    } finally {
      scratch.leave();
    }
  }

  /// Processes records until the handshake is complete; see [BlockingStep.Work].
  private int handshake(byte[] records, RecordOutput output) throws TlsException {
    Scratch scratch = Scratch.enterStep(this);
    try {
      ByteBuffer source = ByteBuffer.wrap(records);
      while (!open && source.hasRemaining()) {
        int length = HEADER + source.getShort(source.position() + HEADER - 2);
        ByteBuffer record = source.slice(source.position(), length);
        unwrap(record, NOTHING, scratch, output);
        source.position(source.position() + length);
      }
      scratch.flush(output);
      return source.position();
    } catch (SSLException | RuntimeException e) {
      throw fail(e, scratch, output);
    } finally {
      scratch.leaveStep();
    }
  }

  @Override
  public @Nullable BlockingStep step() {
    return step;
  }

  @Override
  public int completeStep(ByteBuf plaintext, RecordOutput output) throws TlsException {
    BlockingStep done = Objects.requireNonNull(step);
    step = null;
    byte[] rest = done.complete(output);
    if (rest.length == 0) {
      return 0;
    }
    ByteBuf records = ByteBuf.wrap(rest);
    try {
      return receive(records, records.writerIndex(), plaintext, output);
    } finally {
      records.release();
    }
  }

  private int unwrap(ByteBuffer source, ByteBuffer target, Scratch scratch, RecordOutput output)
      throws SSLException {
    int empty = 0;
    int idle = 0;
    while (source.hasRemaining()) {
      refuseRenegotiation(source);
      SSLEngineResult result = engine.unwrap(source, target);
      if (result.bytesProduced() > MAX_FRAGMENT) {
        throw TlsException.local(
            TlsAlert.RECORD_OVERFLOW,
            "the peer sent a record with "
                + result.bytesProduced()
                + " bytes of data, the maximum is "
                + MAX_FRAGMENT);
      }
      if (result.bytesProduced() > 0) {
        empty = 0;
      } else if (result.bytesConsumed() > 0) {
        empty++;
      }
      idle = result.bytesConsumed() > 0 ? 0 : idle + 1;
      switch (result.getStatus()) {
        case CLOSED -> {
          inputEnded = engine.isInboundDone();
          return empty;
        }
        case OK -> proceed(result.getHandshakeStatus(), scratch, output);
        case BUFFER_OVERFLOW, BUFFER_UNDERFLOW -> idle = MAX_IDLE_CALLS + 1;
      }
      if (idle > MAX_IDLE_CALLS) {
        throw new IllegalStateException("the engine does not accept a record: " + result);
      }
    }
    return empty;
  }

  /// TLS 1.2 permits a further handshake on an open connection (RFC 5246 section 7.4.1), which the
  /// JDK would perform. With cipher suites of TLS 1.3 only, a server of the JDK refuses the
  /// ClientHello with an alert. A client of the JDK then has no protocol left and closes in place
  /// of sending a ClientHello.
  private void refuseRenegotiation(ByteBuffer source) {
    if (refusesHandshake && source.get(source.position()) == HANDSHAKE_RECORD) {
      refusesHandshake = false;
      renegotiates = true;
      engine.setEnabledCipherSuites(new String[] {"TLS_AES_128_GCM_SHA256"});
      if (engine.getUseClientMode()) {
        engine.setEnabledProtocols(new String[] {TLS_1_2});
      }
    }
  }

  private void proceed(HandshakeStatus next, Scratch scratch, RecordOutput output)
      throws SSLException {
    HandshakeStatus status = next;
    int idle = 0;
    while (true) {
      switch (status) {
        case FINISHED -> {
          opened();
          status = engine.getHandshakeStatus();
        }
        case NEED_TASK -> {
          for (@Nullable Runnable task; (task = engine.getDelegatedTask()) != null; ) {
            task.run();
          }
          status = engine.getHandshakeStatus();
        }
        case NEED_WRAP -> {
          if (engine.isOutboundDone()) {
            return;
          }
          SSLEngineResult result = wrap(NOTHING, scratch, output);
          idle = result.bytesProduced() > 0 ? 0 : idle + 1;
          if (idle > MAX_IDLE_CALLS) {
            throw new IllegalStateException("the engine does not produce a record: " + result);
          }
          status = result.getHandshakeStatus();
        }
        case NOT_HANDSHAKING, NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          requireNoRenegotiation();
          return;
        }
      }
    }
  }

  private void opened() {
    requireNoRenegotiation();
    open = true;
    refusesHandshake = engine.getSession().getProtocol().equals(TLS_1_2);
  }

  private void requireNoRenegotiation() {
    if (renegotiates) {
      throw new IllegalStateException("the peer requested a renegotiation");
    }
  }

  private SSLEngineResult wrap(ByteBuffer source, Scratch scratch, RecordOutput output)
      throws SSLException {
    if (scratch.records.remaining() < Scratch.MAX_RECORD) {
      scratch.flush(output);
    }
    return engine.wrap(source, scratch.records);
  }

  @Override
  public void send(ByteBuf plaintext, RecordOutput output) throws TlsException {
    Scratch scratch = Scratch.enter(this);
    try {
      int length = plaintext.readableBytes();
      int from = plaintext.readerIndex();
      ByteBuffer source = UnsafeViews.byteBuffer(plaintext, from, length);
      int records = (length + MAX_FRAGMENT - 1) / MAX_FRAGMENT;
      if (records > scratch.records.capacity() / Scratch.MAX_RECORD) {
        output.room(length + records * (Scratch.MAX_RECORD - MAX_FRAGMENT));
      }
      while (source.hasRemaining()) {
        SSLEngineResult result = wrap(source, scratch, output);
        if (result.getStatus() != SSLEngineResult.Status.OK || result.bytesProduced() == 0) {
          throw ended(result);
        }
        proceed(result.getHandshakeStatus(), scratch, output);
      }
      scratch.flush(output);
      plaintext.readerIndex(from + length);
    } catch (SSLException | RuntimeException e) {
      throw fail(e, scratch, output);
    } finally {
      scratch.leave();
    }
  }

  private RuntimeException ended(SSLEngineResult result) throws TlsException {
    if (engine.isOutboundDone()) {
      throw TlsException.received(
          TlsAlert.CLOSE_NOTIFY,
          "the peer has ended the connection; in TLS 1.2 that ends both directions");
    }
    return new IllegalStateException("the engine does not accept data: " + result);
  }

  @Override
  public void endOutput(RecordOutput output) throws TlsException {
    Scratch scratch = Scratch.enter(this);
    try {
      engine.closeOutbound();
      produceRest(scratch, output);
      scratch.flush(output);
    } catch (SSLException | RuntimeException e) {
      throw fail(e, scratch, output);
    } finally {
      scratch.leave();
    }
  }

  private void produceRest(Scratch scratch, RecordOutput output) throws SSLException {
    while (!engine.isOutboundDone()) {
      if (wrap(NOTHING, scratch, output).bytesProduced() == 0) {
        return;
      }
    }
  }

  /// Appends the alert and returns the failure to throw. The engine throws a failure again in its
  /// next call, and produces the alert in the call after it.
  private TlsException fail(Exception e, Scratch scratch, RecordOutput output) {
    if (e instanceof TlsException known) {
      return known;
    }
    int before = scratch.records.position();
    for (int i = 0; i < MAX_IDLE_CALLS && !engine.isOutboundDone(); i++) {
      try {
        if (wrap(NOTHING, scratch, output).bytesProduced() == 0) {
          engine.closeOutbound();
        }
      } catch (SSLException | RuntimeException _) {
        // The same failure again.
      }
    }
    TlsException failure = JdkFailures.of(e, open, refusal, renegotiates, scratch.records, before);
    scratch.flush(output);
    return failure;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isInputEnded() {
    return inputEnded;
  }

  @Override
  public TlsSession session() {
    SSLSession session = engine.getSession();
    @Nullable String protocol = engine.getApplicationProtocol();
    return new TlsSession(
        session,
        protocol == null || protocol.isEmpty() ? null : protocol,
        serverName(session),
        !certificatesExchanged,
        TlsLibrary.JDK);
  }

  private static @Nullable String serverName(SSLSession session) {
    List<SNIServerName> names =
        session instanceof ExtendedSSLSession extended
            ? extended.getRequestedServerNames()
            : List.of();
    for (SNIServerName name : names) {
      if (name instanceof SNIHostName) {
        return new String(name.getEncoded(), StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
      }
    }
    return null;
  }

  @Override
  public void close() {
    if (step != null) {
      step.cancel();
      step = null;
    }
  }
}
