package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections without channels. The embedded channel only provides a loop that the test steps.
final class SessionTest {

  private final EmbeddedChannel host = new EmbeddedChannel();
  private final List<HttpExchange> exchanges = new ArrayList<>();

  @AfterEach
  void close() {
    host.runTasks();
    assertEquals(0, host.loop().allocator().metrics().used(), "bytes of buffers still held");
    host.close();
  }

  /// Collects what a session sends, or passes it on in pieces.
  private final class Wire implements Http2Session.Output {
    private final int piece;
    private @Nullable Http2Session target;
    private final List<byte[]> sent = new ArrayList<>();
    private long pending;
    private String end = "";

    Wire(int piece) {
      this.piece = piece;
    }

    @Override
    public void write(ByteBuf bytes) {
      byte[] all = bytes.readBytes(bytes.readableBytes());
      bytes.release();
      @Nullable Http2Session to = target;
      if (to == null) {
        sent.add(all);
        return;
      }
      for (int at = 0; at < all.length; at += piece) {
        byte[] part = Arrays.copyOfRange(all, at, Math.min(all.length, at + piece));
        host.loop().ready(() -> to.receive(ByteBuf.wrap(part)));
      }
    }

    @Override
    public long pendingBytes() {
      return pending;
    }

    @Override
    public void end() {
      end += "end";
    }

    @Override
    public void abort() {
      end += "abort";
    }

    List<String> frames() throws Http2Exception {
      List<String> lines = new ArrayList<>();
      FrameNotes notes = new FrameNotes(lines::add);
      FrameReader reader = new FrameReader(notes, 1 << 14, 1 << 16, 16);
      ByteBuf all = ByteBuf.wrap(Frame.join(sent.toArray(byte[][]::new)));
      while (reader.read(all)) {
        // one frame each
      }
      notes.flush();
      sent.clear();
      return lines;
    }
  }

  private Http2ServerSession server(Wire wire, HttpHandler handler) {
    return new Http2ServerSession(Http2Settings.DEFAULT, host.loop(), wire, handler);
  }

  private static ByteBuf frames(byte[]... frames) {
    return ByteBuf.wrap(Frame.join(frames));
  }

  private static byte[] request(int stream) {
    return Frame.of(
        Frames.HEADERS,
        Frames.END_HEADERS | Frames.END_STREAM,
        stream,
        Blocks.encode(
            new HpackEncoder(0),
            List.of(":method: GET", ":scheme: http", ":path: /", ":authority: server.test")));
  }

  private void begin(Http2Session session) {
    session.start();
    session.receive(
        frames(
            Http2Engine.PREFACE,
            Frame.of(Frames.SETTINGS, 0, 0),
            Frame.of(Frames.SETTINGS, Frames.ACK, 0)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 1 << 20})
  void clientAndServerExchangeBodiesHoweverTheBytesAreSplit(int piece) throws Exception {
    Wire toServer = new Wire(piece);
    Wire toClient = new Wire(piece);
    Http2ServerSession server =
        server(
            toClient,
            x -> {
              assertEquals(HttpVersion.HTTP_2, x.connection().version());
              assertNull(x.connection().remoteAddress());
              x.respond(x.readAll(1 << 20).map(body -> HttpResponse.text(body.length + " bytes")));
            });
    Http2ClientSession client =
        new Http2ClientSession(Http2Settings.DEFAULT, host.loop(), toServer);
    toServer.target = server;
    toClient.target = client;
    server.start();
    client.start();
    List<Future<byte[]>> answers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ClientExchange x =
          client
              .open(RequestHead.builder(HttpMethod.POST, "http://a/").contentLength(10_000).build())
              .value();
      x.requestBody().write(ByteBuf.wrap(new byte[10_000]));
      x.requestBody().end();
      answers.add(x.readAll(100));
    }
    host.runTasks();
    for (Future<byte[]> answer : answers) {
      assertEquals("10000 bytes", Blocks.latin(answer.value()));
    }
    assertEquals(0, client.connection().status().value().streams());
    client.drain();
    host.runTasks();
    assertEquals("end", toServer.end);
    server.close(null);
    assertTrue(server.connection().closed().isSuccess());
  }

  @Test
  void callsWaitForTheLimitOfTheServer() {
    Wire wire = new Wire(1);
    Http2ClientSession client = new Http2ClientSession(Http2Settings.DEFAULT, host.loop(), wire);
    client.start();
    client.receive(frames(Frame.of(Frames.SETTINGS, 0, 0, "0003 00000001")));
    Future<ClientExchange> first = client.open(RequestHead.get("http://a/"));
    Future<ClientExchange> second = client.open(RequestHead.get("http://a/"));
    assertTrue(first.isSuccess());
    assertFalse(second.isDone());
    client.receive(frames(Frame.of(Frames.RST_STREAM, 0, 1, "00000008")));
    host.runTasks();
    assertTrue(second.isSuccess());
    Future<ClientExchange> third = client.open(RequestHead.get("http://a/"));
    client.close(null);
    host.runTasks();
    ExchangeEndedException cause = assertInstanceOf(ExchangeEndedException.class, third.cause());
    assertTrue(cause.outcome().isUnprocessed());
  }

  @Test
  void framesBeyondTheBudgetOfATurnWait() throws Exception {
    Wire wire = new Wire(1);
    Http2ServerSession server = server(wire, exchanges::add);
    begin(server);
    wire.frames();
    byte[][] pings = new byte[600][];
    Arrays.fill(pings, Frame.of(Frames.PING, 0, 0, new byte[8]));
    server.receive(frames(pings));
    assertFalse(server.wantsInput());
    host.runTasks();
    assertTrue(server.wantsInput());
    assertEquals(600, wire.frames().size());
    server.close(null);
  }

  @Test
  void acknowledgementsThatAreNotSentAreLimited() throws Exception {
    Wire wire = new Wire(1);
    Http2ServerSession server = server(wire, exchanges::add);
    begin(server);
    wire.pending = 1 << 20;
    for (int i = 0; i < 3_000 && wire.end.isEmpty(); i++) {
      server.receive(
          frames(request(2 * i + 1), Frame.of(Frames.RST_STREAM, 0, 2 * i + 1, "00000008")));
      server.receive(frames(Frame.of(Frames.PING, 0, 0, new byte[8])));
      host.advance(Duration.ofMillis(100));
    }
    assertEquals("end", wire.end);
    assertTrue(wire.frames().getLast().contains("ENHANCE_YOUR_CALM"));
  }

  @Test
  void contentWaitsWhileTheOutputIsFull() throws Exception {
    Wire wire = new Wire(1);
    Http2ServerSession server = server(wire, x -> x.respond(HttpResponse.text("y".repeat(20_000))));
    begin(server);
    wire.frames();
    wire.pending = 1 << 20;
    server.receive(frames(request(1)));
    assertEquals(List.of(), wire.frames());
    wire.pending = 0;
    server.writable();
    assertTrue(wire.frames().toString().contains("end padding"));
    server.close(null);
  }

  @Test
  void deadlinesFollowTheClockOfTheLoop() {
    Wire wire = new Wire(1);
    Http2ServerSession server = server(wire, exchanges::add);
    server.start();
    host.advance(Duration.ofSeconds(9));
    assertEquals("", wire.end);
    host.advance(Duration.ofSeconds(2));
    assertEquals("end", wire.end);
    assertTrue(server.connection().closed().isSuccess());
  }

  @Test
  void failureOfTheTransportEndsExchanges() {
    Wire wire = new Wire(1);
    Http2ServerSession server = server(wire, exchanges::add);
    begin(server);
    server.receive(frames(request(1)));
    List<Outcome> ends = new ArrayList<>();
    exchanges.getFirst().onEnd(ends::add);
    server.close(new IOException("the cable was cut"));
    host.runTasks();
    assertEquals(Outcome.Kind.PEER_GONE, ends.getFirst().kind());
    assertEquals("abort", wire.end);
    server.receive(frames(request(3)));
    assertEquals(1, exchanges.size());
  }

  @Test
  void violationEndsTheSessionAfterGoAway() throws Exception {
    Wire wire = new Wire(1);
    Http2ServerSession server = server(wire, exchanges::add);
    begin(server);
    server.receive(frames(Frame.of(Frames.DATA, 0, 0)));
    assertEquals("end", wire.end);
    assertTrue(wire.frames().getLast().startsWith("goaway 0 PROTOCOL_ERROR"));
  }

  @Test
  void otherThreadsAreRefused() throws Exception {
    Http2ServerSession server = server(new Wire(1), exchanges::add);
    CompletableFuture.runAsync(
            () -> {
              assertThrows(IllegalStateException.class, server::start);
              assertThrows(
                  IllegalStateException.class, () -> server.receive(ByteBuf.wrap(new byte[1])));
            })
        .get();
    server.close(null);
  }
}
