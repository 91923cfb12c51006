package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Outcome;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FrameReaderTest {

  private static final int MAX_BLOCK = 40;

  private static final CodecVerifier VERIFIER =
      CodecVerifier.of(() -> new FrameLines(MAX_BLOCK, 16));

  private static List<Object> frames(byte[]... frames) {
    Outcome outcome = VERIFIER.verify(Frame.join(frames));
    assertNull(outcome.failure());
    return outcome.events();
  }

  @Test
  void framesArriveInAnyPieces() {
    assertEquals(
        List.of(
            "setting 3 100",
            "setting 4 65536",
            "settings end",
            "settings ack",
            "headers 1 8286 end",
            "data 3 hello end padding 0",
            "window 0 1000",
            "window 3 1",
            "reset 3 CANCEL",
            "ping 72623859790382856",
            "ping ack 1",
            "priority 5 u=1, i",
            "goaway 3 ENHANCE_YOUR_CALM too much"),
        frames(
            Frame.of(Frames.SETTINGS, 0, 0, "0003 00000064 0004 00010000"),
            Frame.of(Frames.SETTINGS, Frames.ACK, 0),
            Frame.of(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, 1, "8286"),
            Frame.of(Frames.DATA, Frames.END_STREAM, 3, Blocks.bytes("hello")),
            Frame.of(Frames.WINDOW_UPDATE, 0, 0, "000003e8"),
            Frame.of(Frames.WINDOW_UPDATE, 0, 3, "80000001"),
            Frame.of(Frames.RST_STREAM, 0, 3, "00000008"),
            Frame.of(Frames.PING, 0, 0, "0102030405060708"),
            Frame.of(Frames.PING, Frames.ACK, 0, "0000000000000001"),
            Frame.of(
                Frames.PRIORITY_UPDATE,
                0,
                0,
                Frame.join(Blocks.hex("00000005"), Blocks.bytes("u=1, i"))),
            Frame.of(
                Frames.GOAWAY,
                0,
                0,
                Frame.join(Blocks.hex("80000003 0000000b"), Blocks.bytes("too much")))));
  }

  @Test
  void paddingCountsAndIsDropped() {
    assertEquals(
        List.of("data 1 ab end padding 4", "data 3  end padding 1", "headers 5 82", "ping 0"),
        frames(
            Frame.of(Frames.DATA, Frames.PADDED | Frames.END_STREAM, 1, "03 6162 000000"),
            Frame.of(Frames.DATA, Frames.PADDED | Frames.END_STREAM, 3, "00"),
            Frame.of(Frames.HEADERS, Frames.PADDED | Frames.END_HEADERS, 5, "02 82 0000"),
            Frame.of(Frames.PING, 0, 0, new byte[8])));
  }

  @Test
  void headerBlockIsCollectedFromItsFrames() {
    assertEquals(
        List.of("headers 1 82868441 end", "promise 1 2 8286", "headers 3 82"),
        frames(
            Frame.of(Frames.HEADERS, Frames.END_STREAM, 1, "82"),
            Frame.of(Frames.CONTINUATION, 0, 1),
            Frame.of(Frames.CONTINUATION, 0, 1, "8684"),
            Frame.of(Frames.CONTINUATION, Frames.END_HEADERS, 1, "41"),
            Frame.of(Frames.PUSH_PROMISE, Frames.END_HEADERS, 1, "00000002 8286"),
            Frame.of(
                Frames.HEADERS, Frames.PRIORITY_FLAG | Frames.END_HEADERS, 3, "00000000 10 82")));
  }

  @Test
  void framesWithoutAnEffectAreReported() {
    assertEquals(
        List.of("ignored 250 3", "ignored 2 5", "ignored 11 0"),
        frames(
            Frame.of(250, 0xff, 9, "010203"),
            Frame.of(Frames.PRIORITY, 0, 3, "00000001 10"),
            Frame.of(11, 0, 0)));
  }

  @Test
  void errorsOfAStreamLeaveTheConnectionReadable() {
    assertEquals(
        List.of(
            "FRAME_SIZE_ERROR 3",
            "PROTOCOL_ERROR 5",
            "PROTOCOL_ERROR 7",
            "malformed headers 82",
            "PROTOCOL_ERROR 9",
            "ping 0"),
        frames(
            Frame.of(Frames.PRIORITY, 0, 3, "00"),
            Frame.of(Frames.PRIORITY, 0, 5, "00000005 10"),
            Frame.of(Frames.WINDOW_UPDATE, 0, 7, "00000000"),
            Frame.of(
                Frames.HEADERS, Frames.PRIORITY_FLAG | Frames.END_HEADERS, 9, "00000009 10 82"),
            Frame.of(Frames.PING, 0, 0, new byte[8])));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 61, PROTOCOL_ERROR",
    "0, 8, 1, '', FRAME_SIZE_ERROR",
    "0, 8, 1, 01, PROTOCOL_ERROR",
    "0, 8, 1, 036162, PROTOCOL_ERROR",
    "1, 4, 0, 82, PROTOCOL_ERROR",
    "1, 12, 1, '', FRAME_SIZE_ERROR",
    "1, 12, 1, 0282, PROTOCOL_ERROR",
    "1, 36, 1, 00000000, FRAME_SIZE_ERROR",
    "2, 0, 0, 0000000010, PROTOCOL_ERROR",
    "3, 0, 0, 00000008, PROTOCOL_ERROR",
    "3, 0, 1, 000000, FRAME_SIZE_ERROR",
    "4, 0, 1, '', PROTOCOL_ERROR",
    "4, 1, 0, 000300000064, FRAME_SIZE_ERROR",
    "4, 0, 0, 0003, FRAME_SIZE_ERROR",
    "5, 4, 0, 0000000282, PROTOCOL_ERROR",
    "5, 4, 1, 0000000082, PROTOCOL_ERROR",
    "5, 4, 1, 000000, FRAME_SIZE_ERROR",
    "6, 0, 1, 0000000000000000, PROTOCOL_ERROR",
    "6, 0, 0, 00000000000000, FRAME_SIZE_ERROR",
    "7, 0, 1, 0000000000000000, PROTOCOL_ERROR",
    "7, 0, 0, 00000000000000, FRAME_SIZE_ERROR",
    "8, 0, 0, 00000000, PROTOCOL_ERROR",
    "8, 0, 0, 000000, FRAME_SIZE_ERROR",
    "9, 4, 1, 82, PROTOCOL_ERROR",
    "16, 0, 1, 0000000175, PROTOCOL_ERROR",
    "16, 0, 0, 0000000075, PROTOCOL_ERROR",
    "16, 0, 0, 000000, FRAME_SIZE_ERROR",
  })
  void malformedFramesAreErrorsOfTheConnection(
      int type, int flags, int stream, String payload, ErrorCode code) {
    refuse(code, Frame.of(type, flags, stream, payload));
  }

  private static void refuse(ErrorCode code, byte[]... frames) {
    Outcome outcome = VERIFIER.verify(Frame.join(frames));
    assertEquals(
        code, assertInstanceOf(Http2Exception.class, outcome.failure()).code(), outcome::toString);
  }

  @Test
  void frameAboveTheSettingIsRefusedByItsHeader() {
    refuse(ErrorCode.FRAME_SIZE_ERROR, Blocks.hex("004001 00 00 00000001"));
  }

  @Test
  void headerBlockIsNotInterrupted() {
    byte[] begin = Frame.of(Frames.HEADERS, 0, 1, "82");
    refuse(ErrorCode.PROTOCOL_ERROR, begin, Frame.of(Frames.PING, 0, 0, new byte[8]));
    refuse(ErrorCode.PROTOCOL_ERROR, begin, Frame.of(Frames.CONTINUATION, 4, 3, "82"));
    refuse(ErrorCode.PROTOCOL_ERROR, begin, Frame.of(Frames.HEADERS, 4, 1, "82"));
    refuse(ErrorCode.PROTOCOL_ERROR, begin, Frame.of(250, 0, 0, "00"));
  }

  @Test
  void headerBlockAboveItsLimitIsRefused() {
    refuse(ErrorCode.ENHANCE_YOUR_CALM, Frame.of(Frames.HEADERS, 4, 1, new byte[MAX_BLOCK + 1]));
    refuse(
        ErrorCode.ENHANCE_YOUR_CALM,
        Frame.of(Frames.HEADERS, 0, 1, new byte[MAX_BLOCK]),
        Frame.of(Frames.CONTINUATION, 4, 1, "82"));
    refuse(
        ErrorCode.ENHANCE_YOUR_CALM,
        Frame.of(Frames.HEADERS, Frames.PADDED | 4, 1, "1e" + "00".repeat(MAX_BLOCK)));
  }

  /// The outcome does not depend on whether the payload has arrived.
  @Test
  void headerBlockOnStreamZeroIsAProtocolErrorAtAnySize() {
    refuse(ErrorCode.PROTOCOL_ERROR, Frame.of(Frames.HEADERS, 4, 0, new byte[MAX_BLOCK + 1]));
    refuse(ErrorCode.PROTOCOL_ERROR, Frame.of(Frames.CONTINUATION, 4, 1, new byte[MAX_BLOCK + 1]));
  }

  @Test
  void randomFramesAreReadOrRefusedAlikeAtEveryCut() {
    Random random = new Random(13);
    for (int i = 0; i < 2_000; i++) {
      byte[][] frames = new byte[1 + random.nextInt(4)][];
      for (int k = 0; k < frames.length; k++) {
        byte[] payload = new byte[random.nextInt(14)];
        random.nextBytes(payload);
        int type = random.nextInt(18);
        frames[k] = Frame.of(type, random.nextInt(256), random.nextInt(4), payload);
      }
      VERIFIER.verify(Frame.join(frames));
    }
  }
}
