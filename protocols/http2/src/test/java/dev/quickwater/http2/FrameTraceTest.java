package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The trace describes each frame of both directions, and does not change the traffic.
final class FrameTraceTest {

  private static final Logger QUIET = Logger.getLogger(FrameTrace.class.getName());

  static {
    QUIET.setLevel(Level.OFF);
  }

  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:[\"\\\\nrt]|x[0-9a-f]{2})");

  /// The grammar of the class doc, without escapes.
  private static final Pattern START =
      Pattern.compile("\\d+\\.\\d{6} \\d+ [<>-] \\d+ [A-Z_]+(?:0x[0-9a-f]+)?");

  private static final Pattern FIELD = Pattern.compile(" [A-Za-z0-9_]+=(?:[!#-~]+|\"[^\"\\\\]*\")");

  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final List<String> lines = new ArrayList<>();

  private void note(String line) {
    String plain = ESCAPE.matcher(line).replaceAll("");
    Matcher start = START.matcher(plain);
    assertTrue(start.lookingAt(), line);
    Matcher field = FIELD.matcher(plain);
    for (int at = start.end(); at < plain.length(); at = field.end()) {
      assertTrue(field.region(at, plain.length()).lookingAt(), line);
    }
    assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 0x7f), line);
    lines.add(line.split(" ", 3)[2]);
  }

  private static EmbeddedChannel traced(Consumer<String> to) {
    return new EmbeddedChannel(
        ChannelSettings.DEFAULT, channel -> channel.pipeline().addLast(new FrameTrace(to)));
  }

  /// The lines of bytes that arrive in pieces, without those of the channel.
  private List<String> received(byte[] bytes, int... cuts) {
    lines.clear();
    EmbeddedChannel channel = traced(this::note);
    int from = 0;
    for (int cut : cuts) {
      send(channel, Arrays.copyOfRange(bytes, from, cut));
      from = cut;
    }
    send(channel, Arrays.copyOfRange(bytes, from, bytes.length));
    assertArrayEquals(bytes, passedOn(channel));
    channel.close();
    return frames();
  }

  private static void send(EmbeddedChannel channel, byte[] bytes) {
    if (bytes.length > 0) {
      channel.send(ByteBufAllocator.shared().allocate(bytes.length).writeBytes(bytes));
    }
  }

  private static byte[] passedOn(EmbeddedChannel channel) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Object message : channel.takeReceived()) {
      ByteBuf bytes = (ByteBuf) message;
      all.writeBytes(bytes.readBytes(bytes.readableBytes()));
      bytes.release();
    }
    return all.toByteArray();
  }

  private List<String> frames() {
    return lines.stream().filter(line -> !line.startsWith("- ")).toList();
  }

  private byte[] block(String... fields) {
    return Blocks.encode(encoder, List.of(fields));
  }

  private byte[] sample() {
    byte[] request = block(":method: GET", ":path: /a", "accept: */*");
    return Frame.join(
        Http2Engine.PREFACE,
        Frame.of(Frames.SETTINGS, 0, 0, "0003 00000064 0099 00000001"),
        Frame.of(Frames.SETTINGS, Frames.ACK, 0),
        Frame.of(Frames.HEADERS, Frames.END_STREAM, 1, Arrays.copyOf(request, 2)),
        Frame.of(
            Frames.CONTINUATION,
            Frames.END_HEADERS,
            1,
            Arrays.copyOfRange(request, 2, request.length)),
        Frame.of(Frames.DATA, Frames.END_STREAM | Frames.PADDED, 3, "02 610a22 0000"),
        Frame.of(Frames.DATA, 0, 3),
        Frame.of(Frames.PRIORITY, 0, 5, "00000000 10"),
        Frame.of(Frames.RST_STREAM, 0x40, 3, "00000008"),
        Frame.of(Frames.RST_STREAM, 0, 3, "00000099"),
        Frame.of(Frames.PING, Frames.ACK, 0, "00000000000000ff"),
        Frame.of(Frames.WINDOW_UPDATE, 0, 0, "000003e8"),
        Frame.of(
            Frames.PRIORITY_UPDATE, 0, 0, Frame.join(Blocks.hex("00000005"), Blocks.bytes("u=1"))),
        Frame.of(250, 0, 0, "010203"),
        Frame.of(Frames.GOAWAY, 0, 0, Frame.join(new byte[8], Blocks.bytes("so\r\n1 2"))));
  }

  @Test
  void eachFrameIsALine() {
    assertEquals(
        List.of(
            "< 0 PREFACE",
            "< 0 SETTINGS length=12 flags=- MAX_CONCURRENT_STREAMS=100 SETTING_0x99=1",
            "< 0 SETTINGS length=0 flags=ACK",
            "< 1 HEADERS length=2 flags=END_STREAM",
            "< 1 CONTINUATION length=8 flags=END_HEADERS field=\":method: GET\""
                + " field=\":path: /a\" field=\"accept: */*\"",
            "< 3 DATA length=6 flags=END_STREAM+PADDED data=\"a\\n\\\"\" padding=2",
            "< 3 DATA length=0 flags=- data=\"\"",
            "< 5 PRIORITY length=5 flags=-",
            "< 3 RST_STREAM length=4 flags=0x40 code=CANCEL",
            "< 3 RST_STREAM length=4 flags=- code=0x99",
            "< 0 PING length=8 flags=ACK data=0x00000000000000ff",
            "< 0 WINDOW_UPDATE length=4 flags=- increment=1000",
            "< 0 PRIORITY_UPDATE length=7 flags=- target=5 priority=\"u=1\"",
            "< 0 TYPE_0xfa length=3 flags=-",
            "< 0 GOAWAY length=15 flags=- last=0 code=NO_ERROR debug=\"so\\r\\n1 2\""),
        received(sample()));
  }

  @Test
  void linesDoNotDependOnThePiecesOfTheBytes() {
    byte[] bytes = sample();
    List<String> whole = received(bytes);
    for (int cut = 1; cut < bytes.length; cut++) {
      assertEquals(whole, received(bytes, cut), "cut at " + cut);
    }
    int[] all = new int[bytes.length - 1];
    Arrays.setAll(all, i -> i + 1);
    assertEquals(whole, received(bytes, all));
  }

  @Test
  void randomFramesAndRandomBytesAreTracedAlikeAtEveryCutAndPassUnchanged() {
    Random random = new Random(5);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = i % 10 == 0 ? random(random, 60) : randomFrames(random);
      List<String> whole = received(bytes);
      assertEquals(whole, received(bytes, random.nextInt(bytes.length)));
      int[] all = new int[bytes.length - 1];
      Arrays.setAll(all, k -> k + 1);
      assertEquals(whole, received(bytes, all));
    }
  }

  private static byte[] random(Random random, int max) {
    byte[] bytes = new byte[1 + random.nextInt(max)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] randomFrames(Random random) {
    byte[][] frames = new byte[1 + random.nextInt(5)][];
    for (int k = 0; k < frames.length; k++) {
      int flags = random.nextBoolean() ? Frames.END_HEADERS : random.nextInt(256);
      frames[k] = Frame.of(random.nextInt(18), flags, random.nextInt(3), random(random, 14));
    }
    return Frame.join(frames);
  }

  @Test
  void serverIsTracedInBothDirectionsAndAnswersTheSameBytes() {
    byte[] request =
        Frame.join(
            Http2Engine.PREFACE,
            Frame.of(Frames.SETTINGS, 0, 0),
            Frame.of(
                Frames.HEADERS,
                Frames.END_HEADERS | Frames.END_STREAM,
                1,
                block(":method: GET", ":scheme: http", ":path: /", ":authority: a")));
    byte[] plain = answer(request, new EmbeddedChannel(server()));
    byte[] traced = answer(request, new EmbeddedChannel(new FrameTrace(this::note), server()));
    assertEquals(plain.length, traced.length); // the date may differ
    assertEquals("OPEN", lines.getFirst().split(" ")[2]);
    assertEquals("- 0 CLOSE", lines.getLast());
    List<String> kinds = frames().stream().map(line -> line.split(" length")[0]).toList();
    assertTrue(kinds.containsAll(List.of("> 0 SETTINGS", "< 0 PREFACE", "< 0 SETTINGS")));
    assertTrue(kinds.indexOf("< 1 HEADERS") < kinds.indexOf("> 1 HEADERS"), kinds::toString);
    assertTrue(lines.stream().anyMatch(line -> line.contains("field=\":status: 200\"")));
    assertTrue(
        lines.contains("> 1 DATA length=5 flags=END_STREAM data=\"hello\""), lines::toString);
  }

  private static Http2ServerHandler server() {
    return new Http2ServerHandler(
        Http2Settings.DEFAULT, x -> x.respond(HttpResponse.text(HttpStatus.OK, "hello")));
  }

  private static byte[] answer(byte[] request, EmbeddedChannel channel) {
    send(channel, request);
    ByteBuf sent = channel.takeSent();
    byte[] bytes = sent.readBytes(sent.readableBytes());
    sent.release();
    channel.close();
    return bytes;
  }

  @Test
  void clientSendsThePreface() {
    EmbeddedChannel client =
        new EmbeddedChannel(
            new FrameTrace(this::note), new Http2ClientHandler(Http2Settings.DEFAULT));
    assertEquals("> 0 PREFACE", frames().getFirst());
    assertTrue(frames().get(1).startsWith("> 0 SETTINGS"), frames()::toString);
    client.takeSent().release();
    client.close();
  }

  @Test
  void errorOfTheConnectionIsReportedOnceAndTrafficContinues() {
    byte[] bytes =
        Frame.join(
            Frame.of(Frames.PING, 0, 1, new byte[8]),
            Frame.of(Frames.PING, 0, 0, new byte[8]),
            "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    List<String> expected =
        List.of(
            "< 1 PING length=8 flags=-",
            "< 0 ERROR code=PROTOCOL_ERROR"
                + " message=\"a frame of type 6 on stream 1 is allowed on stream 0 only\"");
    assertEquals(expected, received(bytes));
    for (int cut = 1; cut < bytes.length; cut++) {
      assertEquals(expected, received(bytes, cut));
    }
  }

  @Test
  void errorOfAStreamLeavesTheTraceRunning() {
    assertEquals(
        List.of(
            "< 7 WINDOW_UPDATE length=4 flags=-",
            "< 7 ERROR code=PROTOCOL_ERROR"
                + " message=\"a window of stream 7 is increased by 0 (section 6.9)\"",
            "< 0 PING length=8 flags=- data=0x0000000000000000"),
        received(
            Frame.join(
                Frame.of(Frames.WINDOW_UPDATE, 0, 7, "00000000"),
                Frame.of(Frames.PING, 0, 0, new byte[8]))));
  }

  @Test
  void malformedBlockIsAnError() {
    assertEquals(
        List.of(
            "< 1 HEADERS length=1 flags=END_HEADERS",
            "< 0 ERROR code=COMPRESSION_ERROR message=\"no table has index 0\""),
        received(Frame.of(Frames.HEADERS, Frames.END_HEADERS, 1, "80")));
  }

  @Test
  void malformedPrefaceIsAnError() {
    assertEquals(
        List.of("< 0 ERROR code=PROTOCOL_ERROR message=\"the preface is malformed\""),
        received(Blocks.bytes("POST / HTTP/1.1\r\n\r\n")));
  }

  @Test
  void valuesOfSecretsAreLeftOut() {
    byte[] sensitive = Blocks.hex("10 01 61 03 626364"); // a: bcd, never indexed
    byte[] authority = Blocks.hex("11 03 626364"); // :authority: bcd, never indexed
    byte[] cookie = Frame.join(block("cookie: bcd"), block("set-cookie: bcd"));
    byte[] credentials = Frame.join(block("authorization: bcd"), block("proxy-authorization: bcd"));
    byte[] all = Frame.join(sensitive, authority, cookie, credentials);
    assertEquals(
        List.of(
            "< 1 HEADERS length="
                + all.length
                + " flags=END_HEADERS secret=\"a\" secret=\":authority\" secret=\"cookie\""
                + " secret=\"set-cookie\" secret=\"authorization\" secret=\"proxy-authorization\""),
        received(Frame.of(Frames.HEADERS, Frames.END_HEADERS, 1, all)));
  }

  @Test
  void fieldsOfThePeerCannotForgeLines() {
    byte[] block = Blocks.hex("00 03 410a22 06 0d0a3c207f5c"); // A\n": \r\n< \x7f\
    assertEquals(
        List.of("< 1 HEADERS length=12 flags=END_HEADERS field=\"A\\n\\\": \\r\\n< \\x7f\\\\\""),
        received(Frame.of(Frames.HEADERS, Frames.END_HEADERS, 1, block)));
  }

  /// A block of few bytes that decodes to 60 MB.
  @Test
  void lineOfAnExpandingBlockIsBounded() {
    byte[] value = new byte[3900];
    Arrays.fill(value, (byte) 1);
    byte[] entry = Frame.join(Blocks.hex("40 01 61 7f bd1d"), value);
    byte[] references = new byte[16_000];
    Arrays.fill(references, (byte) 0xbe);
    List<String> traced =
        received(
            Frame.join(
                Frame.of(Frames.HEADERS, Frames.END_HEADERS, 1, entry),
                Frame.of(Frames.HEADERS, Frames.END_HEADERS, 3, references)));
    assertEquals(2, traced.size());
    assertTrue(traced.getLast().length() < 16 << 10);
    assertTrue(traced.getLast().matches(".* cut=2879 more=1599\\d"), () -> traced.getLast());
  }

  @Test
  void contentIsCutAndNotCollected() {
    byte[] frame = Frame.of(Frames.DATA, 0, 1, new byte[16_384]);
    assertEquals(
        List.of("< 1 DATA length=16384 flags=- data=\"" + "\\x00".repeat(64) + "\" cut=16320"),
        received(frame, 5, 100, 16_000));
  }

  @Test
  void largeFrameThatIsReadWholeIsAnErrorHoweverItArrives() {
    byte[] frame = Frame.of(Frames.GOAWAY, 0, 0, new byte[100_000]);
    List<String> expected =
        List.of(
            "< 0 ERROR code=ENHANCE_YOUR_CALM"
                + " message=\"a frame of type 7 has 100000 bytes, more than are traced\"");
    assertEquals(expected, received(frame));
    assertEquals(expected, received(frame, 4, 20));
    assertEquals(expected, received(frame, 99_000));
  }

  @Test
  void consumerThatThrowsEndsTheTraceAlone() {
    EmbeddedChannel channel =
        traced(_ -> {
          throw new IllegalStateException("full");
        });
    byte[] bytes = sample();
    send(channel, bytes);
    assertArrayEquals(bytes, passedOn(channel));
    assertTrue(channel.channel().isActive());
    channel.close();
  }

  @Test
  void writtenBuffersKeepTheirIndices() {
    EmbeddedChannel channel = traced(this::note);
    ByteBuf bytes = ByteBufAllocator.shared().allocate(100).writeBytes(new byte[3]);
    bytes.skip(3).writeBytes(Frame.of(Frames.DATA, 0, 1, "6162"));
    channel.channel().writeAndFlush(bytes);
    channel.runTasks();
    ByteBuf sent = channel.takeSent();
    assertArrayEquals(Frame.of(Frames.DATA, 0, 1, "6162"), sent.readBytes(sent.readableBytes()));
    sent.release();
    channel.close();
    assertEquals(List.of("> 1 DATA length=2 flags=- data=\"ab\""), frames());
    assertFalse(bytes.isLive());
  }
}
