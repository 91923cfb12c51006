package dev.quickwater.buffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import org.junit.jupiter.api.Test;

class ByteBufTextTest extends Buffers {

  @EachStorage
  void utf8RoundTripsAllPlanes(Storage storage) {
    String text = "aé€\uD83D\uDE00 end";
    ByteBuf buffer = buffer(storage, 2);
    buffer.writeUtf8(text);
    assertEquals(14, buffer.readableBytes());
    assertEquals(text, buffer.toString(UTF_8));
    assertEquals("aé", buffer.readString(3, UTF_8));
    assertEquals("€\uD83D\uDE00 end", buffer.toString(UTF_8));
    buffer.release();
  }

  @EachStorage
  void loneSurrogatesBecomeQuestionMarks(Storage storage) {
    ByteBuf buffer = buffer(storage, 8);
    buffer.writeUtf8("a\uD83Db");
    assertEquals("a?b", buffer.toString(UTF_8));
    buffer.release();
  }

  @EachStorage
  void asciiReplacesWhatItDoesNotHave(Storage storage) {
    ByteBuf buffer = buffer(storage, 2);
    buffer.writeAscii(new StringBuilder("GET é\u007F\u0080"));
    assertEquals("GET ?\u007F?", buffer.toString(US_ASCII));
    buffer.release();
  }

  @EachStorage
  void malformedInputIsReplaced(Storage storage) {
    ByteBuf buffer = buffer(storage, 8);
    buffer.writeBytes(new byte[] {'a', (byte) 0xc3, 'b', (byte) 0xff});
    assertEquals("a\uFFFDb\uFFFD", buffer.toString(UTF_8));
    assertEquals("aÃbÿ", buffer.toString(ISO_8859_1));
    buffer.release();
  }

  @EachStorage
  void textThatReleasesTheBufferWhileItIsWrittenWritesNothingMore(Storage storage) {
    ByteBuf buffer = buffer(storage, 8);
    CharSequence hostile =
        new CharSequence() {
          @Override
          public int length() {
            return 2;
          }

          @Override
          public char charAt(int index) {
            if (index == 1) {
              buffer.release();
            }
            return 'x';
          }

          @Override
          public CharSequence subSequence(int start, int end) {
            throw new UnsupportedOperationException();
          }
        };
    assertThrows(IllegalStateException.class, () -> buffer.writeAscii(hostile));
  }

  @Test
  void utf8BufferHoldsTheText() {
    assertEquals("häß", ByteBuf.utf8("häß").toString(UTF_8));
    assertEquals(5, ByteBuf.utf8("häß").readableBytes());
  }

  /// A charset whose decoder keeps its input buffer.
  private static final class Spy extends Charset {
    private int reachable;

    Spy() {
      super("X-Spy", new String[0]);
    }

    @Override
    public boolean contains(Charset other) {
      return false;
    }

    @Override
    public CharsetDecoder newDecoder() {
      return new CharsetDecoder(this, 1, 1) {
        @Override
        protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
          reachable = Math.max(reachable, in.hasArray() ? in.array().length : 0);
          while (in.hasRemaining()) {
            out.put((char) in.get());
          }
          return CoderResult.UNDERFLOW;
        }
      };
    }

    @Override
    public CharsetEncoder newEncoder() {
      throw new UnsupportedOperationException();
    }
  }

  @EachStorage
  void charsetOfTheApplicationReachesNoOtherBytes(Storage storage) {
    ByteBuf buffer = buffer(storage, 64).writeAscii("some text");
    Spy spy = new Spy();
    assertEquals("me", buffer.skip(2).readString(2, spy));
    assertTrue(spy.reachable <= 2, "bytes within reach: " + spy.reachable);
    buffer.release();
  }

  @EachStorage
  void textIsReadAsUtf8(Storage storage) {
    ByteBuf buffer = buffer(storage, 64).writeUtf8("a\u00e9\u20ac!");
    assertEquals("a\u00e9\u20ac", buffer.readUtf8(6));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.readUtf8(2));
    assertEquals("!", buffer.readUtf8(1));
    buffer.release();
  }
}
