package dev.quickwater.codec.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A verifier is worth what it finds: each kind of broken decoder here is one that it has to find.
final class CodecVerifierTest {

  private static final List<ByteBuf> KEPT = new ArrayList<>();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Messages of one length byte and so many more; a length of `!` is malformed.
  private static void frames(ByteBuf in, Events events) {
    while (in.isReadable()) {
      int length = in.getByte(in.readerIndex()) - '0';
      if (length < 0) {
        throw new IllegalArgumentException("length is " + length);
      }
      if (in.readableBytes() <= length) {
        return;
      }
      in.skip(1);
      events.event("frame");
      events.content(in, length);
    }
  }

  @Test
  void correctDecoderHasOneOutcome() {
    Outcome outcome = CodecVerifier.of(() -> CodecVerifierTest::frames).verify(bytes("3abc12xy9"));
    assertEquals(List.of("frame", "abc", "frame", "2"), outcome.events().subList(0, 4));
    assertEquals(3, outcome.left());
  }

  @Test
  void failureIsAnOutcome() {
    Outcome outcome = CodecVerifier.of(() -> CodecVerifierTest::frames).verify(bytes("1a!x"));
    assertInstanceOf(IllegalArgumentException.class, outcome.failure());
    assertEquals(List.of("frame", "a"), outcome.events());
  }

  @Test
  void rowEqualsItsParts() {
    List<Object> events =
        CodecVerifier.of(() -> CodecVerifierTest::frames)
            .verifyRow(bytes("1a"), bytes("2bc"), bytes("0"));
    assertEquals(List.of("frame", "a", "frame", "bc", "frame"), events);
  }

  @Test
  void decoderThatTakesAPieceForTheWholeIsFound() {
    CodecVerifier verifier =
        CodecVerifier.of(() ->
            (in, events) ->
                events.event(in.readString(in.readableBytes(), StandardCharsets.US_ASCII)));
    assertThrows(AssertionError.class, () -> verifier.verify(bytes("ab")));
  }

  @Test
  void readingAheadIsFound() {
    CodecVerifier verifier = CodecVerifier.of(() -> (in, events) -> in.getByte(in.writerIndex()));
    AssertionError error = assertThrows(AssertionError.class, () -> verifier.verify(bytes("ab")));
    assertTrue(error.getMessage().contains("outside of its input"), error.getMessage());
  }

  @Test
  void readingBehindTheReaderIndexIsFound() {
    CodecVerifier verifier =
        CodecVerifier.of(() ->
            (in, events) -> {
              int before = in.readerIndex() > 0 ? in.getByte(in.readerIndex() - 1) : 0;
              in.skip(in.readableBytes());
              if (before != 0) {
                events.event("saw " + before);
              }
            });
    assertThrows(AssertionError.class, () -> verifier.verify(bytes("ab")));
  }

  @Test
  void memoryThatIsKeptIsFound() {
    CodecVerifier verifier =
        CodecVerifier.of(() ->
            (in, events) -> {
              in.skip(in.readableBytes());
              KEPT.add(ByteBufAllocator.shared().allocate(64));
            });
    AssertionError error = assertThrows(AssertionError.class, () -> verifier.verify(bytes("a")));
    KEPT.forEach(ByteBuf::release);
    assertTrue(error.getMessage().contains("not released"), error.getMessage());
  }

  @Test
  @Tag("full")
  void linearWorkPasses() {
    CodecVerifier.of(() -> CodecVerifierTest::frames)
        .verifyLinear(length -> bytes("9abcdefghi".repeat(length / 10)), 10_000);
  }

  @Test
  @Tag("full")
  void squareWorkIsFound() {
    CodecVerifier verifier =
        CodecVerifier.of(() ->
            (in, events) -> {
              for (int i = in.readerIndex(); i < in.writerIndex(); i++) {
                if (in.getByte(i) == '\n') {
                  in.skip(i + 1 - in.readerIndex());
                  return;
                }
              }
            });
    assertThrows(
        AssertionError.class,
        () -> verifier.verifyLinear(length -> bytes("x".repeat(length) + "\n"), 8_000));
  }
}
