package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.junit.NoLeaks;
import java.nio.charset.StandardCharsets;
import java.security.Signature;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A handshake that waits for a [TlsSigner]: the loop continues, and the wait has an end.
@NoLeaks
final class RemoteKeyHandlerTest {

  private static final Duration LIMIT = TlsLimits.DEFAULT.handshakeTimeout();

  private final TlsIdentity local = TestTls.identity("localhost");

  /// Answers when the test allows it.
  private final class Slow implements TlsSigner {
    final CountDownLatch requested = new CountDownLatch(1);
    final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    volatile @Nullable TlsSignatureScheme scheme;
    volatile byte[] message = {};

    @Override
    public CompletionStage<byte[]> sign(TlsSignatureScheme wanted, byte[] bytes) {
      scheme = wanted;
      message = bytes;
      requested.countDown();
      return answer;
    }

    void complete() throws Exception {
      TlsSignatureScheme wanted = scheme;
      if (wanted == null) {
        throw new AssertionError("no signature was requested");
      }
      Signature signature = wanted.signature();
      signature.initSign(local.key());
      signature.update(message);
      answer.complete(signature.sign());
    }

    TlsSettings server() {
      return TlsSettings.server(TlsIdentity.signedBy(this, local.chain()))
          .withLibrary(TlsLibrary.JDK);
    }
  }

  private static void pumpUntilServerIsDone(HandlerPair pair) {
    while (!pair.serverTls.handshake().isDone()) {
      pair.pump();
      Thread.onSpinWait();
    }
    pair.pump();
  }

  @Test
  void loopContinuesWhileTheSignerWorks() throws Exception {
    Slow signer = new Slow();
    try (HandlerPair pair = new HandlerPair(signer.server(), TestTls.client())) {
      pair.pump();
      signer.requested.await();
      pair.pump(); // the loop is free, and reads nothing more of this peer
      assertFalse(pair.serverTls.handshake().isDone());
      assertFalse(pair.server.isReading());
      signer.complete();
      pumpUntilServerIsDone(pair);
      assertNull(pair.serverFailure());
      assertTrue(pair.server.isReading());
      assertEquals("active", pair.serverProbe.events.getLast());
    }
  }

  /// The last messages of a client are processed on another thread, too, and may arrive together
  /// with the end of its output.
  @Test
  void inputThatEndsWithTheHandshakeIsDelivered() throws Exception {
    Slow signer = new Slow();
    try (HandlerPair pair = new HandlerPair(signer.server(), TestTls.client())) {
      pair.pump();
      signer.requested.await();
      signer.complete();
      while (!pair.clientTls.handshake().isDone()) {
        HandlerPair.carry(pair.server, pair.client, Integer.MAX_VALUE);
        Thread.onSpinWait();
      }
      pair.client
          .channel()
          .writeAndFlush(ByteBuf.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
      pair.client.channel().shutdownOutput();
      HandlerPair.carry(pair.client, pair.server, Integer.MAX_VALUE);
      pair.server.endInput();
      while (!pair.serverTls.handshake().isDone()) {
        pair.server.runTasks();
        Thread.onSpinWait();
      }
      pair.server.runTasks();
      assertNull(pair.serverFailure());
      assertEquals("hello", pair.serverProbe.text.toString());
      assertTrue(pair.serverProbe.events.contains("input closed"));
    }
  }

  @Test
  void pauseOfTheUserAppliesAfterTheHandshake() throws Exception {
    Slow signer = new Slow();
    try (HandlerPair pair = new HandlerPair(signer.server(), TestTls.client())) {
      var pause = pair.server.channel().pauseReading("test");
      pair.pump();
      signer.requested.await();
      signer.complete();
      pumpUntilServerIsDone(pair);
      assertNull(pair.serverFailure());
      assertFalse(pair.server.isReading());
      pause.close();
      pair.pump();
      assertTrue(pair.server.isReading());
    }
  }

  @Test
  void silentSignerEndsWithTheHandshakeDeadline() throws Exception {
    Slow signer = new Slow();
    try (HandlerPair pair = new HandlerPair(signer.server(), TestTls.client())) {
      pair.pump();
      signer.requested.await();
      pair.server.runTasks().advance(LIMIT);
      TlsException failure = assertInstanceOf(TlsException.class, pair.serverFailure());
      assertTrue(failure.getMessage().contains("handshakeTimeout"), failure::getMessage);
      pair.server.advance(LIMIT);
      assertTrue(pair.server.isClosed());
      assertCancelled(signer);
    }
  }

  @Test
  void closedChannelCancelsTheSigner() throws Exception {
    Slow signer = new Slow();
    try (HandlerPair pair = new HandlerPair(signer.server(), TestTls.client())) {
      pair.pump();
      signer.requested.await();
      pair.server.channel().close();
      pair.server.runTasks();
      assertCancelled(signer);
    }
  }

  /// Completes, because the deadline of the test is shorter than that of the handshake.
  private static void assertCancelled(Slow signer) {
    while (!signer.answer.isDone()) {
      Thread.onSpinWait();
    }
    assertTrue(signer.answer.isCancelled());
  }

  @Test
  void blockingSignerIsInterrupted() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    TlsSigner signer =
        (_, _) -> {
          began.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
          return CompletableFuture.completedFuture(new byte[0]);
        };
    TlsSettings server =
        TlsSettings.server(TlsIdentity.signedBy(signer, local.chain())).withLibrary(TlsLibrary.JDK);
    try (HandlerPair pair = new HandlerPair(server, TestTls.client())) {
      pair.pump();
      began.await();
      pair.server.channel().close();
      pair.server.runTasks();
      interrupted.await();
    }
  }
}
