package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.engine.ServerHandler;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http2.BudgetTrips;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The upgrade of RFC 7540 section 3.2, for a server that allows it.
final class H2cUpgradeTest {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /// SETTINGS_MAX_CONCURRENT_STREAMS 100.
  private static final String SETTINGS = "AAMAAABk";

  private static final String CHANGE =
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: ";

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS_FRAME = 4;

  private final Queue<String> requests = new ConcurrentLinkedQueue<>();

  private void handle(HttpExchange x) {
    HttpHeaders fields = x.request().headers();
    requests.add(
        x.connection().version()
            + " "
            + x.request()
            + " "
            + x.request().authority()
            + " "
            + x.request().protocol()
            + " "
            + fields.get("x-test")
            + " "
            + fields.get("http2-settings"));
    x.respond(
        x.readAll(1000).map(body -> HttpResponse.text(HttpStatus.OK, "body of " + body.length)));
  }

  private RunningServer server() {
    return Servers.start(
        "nio", this::handle, s -> s.withVersions(s.versions().withH2cUpgrade(true)));
  }

  private static final class Peer implements AutoCloseable {
    final Socket socket;
    final DataInputStream in;

    Peer(RunningServer server) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.setSoTimeout(20_000);
      in = new DataInputStream(socket.getInputStream());
    }

    Peer send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    }

    Peer frame(int type, int flags, int stream, String hex) throws IOException {
      byte[] payload = HexFormat.of().parseHex(hex);
      ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
      frame.put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags);
      socket.getOutputStream().write(frame.putInt(stream).put(payload).array());
      return this;
    }

    /// A head with its empty line.
    String head() throws IOException {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        head.write(in.readByte());
      }
      return head.toString(StandardCharsets.ISO_8859_1);
    }

    /// The next frame of HEADERS or DATA, other frames before it.
    List<String> framesTo(int last) throws IOException {
      List<String> frames = new ArrayList<>();
      int type;
      do {
        int lengthAndType = in.readInt();
        type = lengthAndType & 0xff;
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(lengthAndType >>> 8);
        String content = type == DATA ? new String(payload, StandardCharsets.ISO_8859_1) : "";
        frames.add(type + " " + stream + " " + flags + " " + content);
      } while (type != last);
      return frames;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void requestBecomesTheFirstStream() throws Exception {
    try (RunningServer server = server();
        Peer peer = new Peer(server)) {
      peer.send("GET /first HTTP/1.1\r\nHost: a.test\r\nX-Test: 7\r\n" + CHANGE + SETTINGS)
          .send("\r\n\r\n");
      String head = peer.head();
      assertTrue(head.startsWith("HTTP/1.1 101 Switching Protocols\r\n"), head);
      assertTrue(head.contains("\r\nupgrade: h2c\r\n"), head);
      List<String> frames = peer.framesTo(DATA);
      assertTrue(frames.getFirst().startsWith(SETTINGS_FRAME + " 0 0"), frames.toString());
      assertEquals("1 1 4 ", frames.get(frames.size() - 2));
      assertEquals("0 1 1 body of 0", frames.getLast());
      peer.send(PREFACE).frame(SETTINGS_FRAME, 0, 0, "").frame(SETTINGS_FRAME, 1, 0, "");
      peer.frame(HEADERS, 5, 3, "828684410161"); // GET / of the authority "a"
      assertEquals("0 3 1 body of 0", peer.framesTo(DATA).getLast());
      assertEquals(
          List.of("HTTP/2 GET /first a.test null 7 null", "HTTP/2 GET / a null null null"),
          List.copyOf(requests));
      Baseline.await("both counted once", () -> server.metrics().requests().ended() == 2);
      assertEquals(1, server.connections());
    }
  }

  @Test
  void prefaceMayFollowTheRequestAtOnce() throws Exception {
    try (RunningServer server = server();
        Peer peer = new Peer(server)) {
      peer.send("GET / HTTP/1.1\r\nHost: a\r\n" + CHANGE + SETTINGS + "\r\n\r\n" + PREFACE)
          .frame(SETTINGS_FRAME, 0, 0, "")
          .frame(HEADERS, 5, 3, "828684410161");
      assertTrue(peer.head().startsWith("HTTP/1.1 101"));
      assertEquals("0 1 1 body of 0", peer.framesTo(DATA).getLast());
      assertEquals("0 3 1 body of 0", peer.framesTo(DATA).getLast());
    }
  }

  /// SETTINGS_INITIAL_WINDOW_SIZE 4.
  @Test
  void settingsOfTheRequestApplyToTheFirstResponse() throws Exception {
    try (RunningServer server = server();
        Peer peer = new Peer(server)) {
      peer.send("GET / HTTP/1.1\r\nHost: a\r\n" + CHANGE + "AAQAAAAE\r\n\r\n");
      assertTrue(peer.head().startsWith("HTTP/1.1 101"));
      assertEquals("0 1 0 body", peer.framesTo(DATA).getLast());
      peer.send(PREFACE).frame(SETTINGS_FRAME, 0, 0, "").frame(8, 0, 1, "00000064");
      assertEquals("0 1 1  of 0", peer.framesTo(DATA).getLast());
    }
  }

  @Test
  void connectionDrains() throws Exception {
    RunningServer server = server();
    try (Peer peer = new Peer(server)) {
      peer.send("GET / HTTP/1.1\r\nHost: a\r\n" + CHANGE + SETTINGS + "\r\n\r\n" + PREFACE)
          .frame(SETTINGS_FRAME, 0, 0, "")
          .frame(SETTINGS_FRAME, 1, 0, "");
      assertTrue(peer.head().startsWith("HTTP/1.1 101"));
      peer.framesTo(DATA);
      assertTrue(server.drain());
    } finally {
      server.close();
    }
  }

  /// The handler of HTTP/1.1 leaves the pipeline after the turn.
  @Test
  void drainInTheTurnOfTheUpgradeReachesHttp2() {
    VersionSettings versions = VersionSettings.DEFAULT.withH2cUpgrade(true);
    EmbeddedChannel peer =
        new EmbeddedChannel(
            ChannelSettings.DEFAULT.withHalfClose(true),
            channel -> {
              H2cUpgrade upgrade = new H2cUpgrade(versions, this::handle, new BudgetTrips());
              HttpHandler drains =
                  x -> {
                    upgrade.handle(x);
                    ServerHandler.drain(channel);
                  };
              channel.pipeline().addLast(new Http1ServerHandler(versions.http1(), drains));
            });
    String request = "GET / HTTP/1.1\r\nHost: a\r\n" + CHANGE + SETTINGS + "\r\n\r\n" + PREFACE;
    peer.send(ByteBuf.utf8(request));
    peer.send(ByteBuf.wrap(HexFormat.of().parseHex("000000040000000000000000040100000000")));
    peer.runTasks();
    peer.advance(Duration.ofSeconds(2)); // the announced GOAWAY is followed by the final one
    assertEquals(1, requests.size());
    ByteBuf sent = peer.takeSent();
    assertTrue(sent.toString(StandardCharsets.ISO_8859_1).contains("body of 0"));
    sent.release();
    assertTrue(peer.isOutputEnded());
    peer.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
        "Connection: HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2\r\nHTTP2-Settings: AAMAAABk\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
            + "HTTP2-Settings: AAMAAABk\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAAB*\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAA\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAIAAAAC\r\n",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
            + "Content-Length: 0003\r\n",
      })
  void invalidChangeIsAnsweredWithHttp1(String fields) throws Exception {
    try (RunningServer server = server();
        Peer peer = new Peer(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\nabc");
      String head = peer.head();
      assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
      assertTrue(requests.element().startsWith("HTTP/1.1 POST / a "), requests.element());
      assertTrue(requests.element().endsWith(" null null"), requests.element());
    }
  }

  @Test
  void upgradeIsOffByDefault() throws Exception {
    try (RunningServer server = Servers.start("nio", this::handle);
        Peer peer = new Peer(server)) {
      peer.send("GET / HTTP/1.1\r\nHost: a\r\n" + CHANGE + SETTINGS + "\r\n\r\n");
      assertTrue(peer.head().startsWith("HTTP/1.1 200 OK\r\n"));
      assertEquals("HTTP/1.1 GET / a h2c null null", requests.element());
    }
  }
}
