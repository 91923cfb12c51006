package dev.quickwater.buffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
}
