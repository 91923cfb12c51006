package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.HeaderField;
import dev.quickwater.http2.FieldName.Pseudo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A decoder returns the fields that an encoder has encoded, and both keep equal tables, for any
/// fields and table sizes.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. The input is a list of steps: one
/// byte each, followed by operands.
final class HpackFuzzTest {

  private static final String[] NAMES = {
    "accept-encoding", "authorization", "content-length", "cookie", "date", "server", "x-a", "x-b"
  };

  private static final int MAX_TABLE = 512;

  private final HpackEncoder encoder = new HpackEncoder(MAX_TABLE);
  private final HpackDecoder decoder = new HpackDecoder(MAX_TABLE);
  private final List<HttpHeaders> sent = new ArrayList<>();

  @FuzzTest(maxDuration = "60s")
  void encodedFieldsAreDecoded(byte[] data) throws Exception {
    new HpackFuzzTest().run(ByteBuf.wrap(data));
  }

  private void run(ByteBuf in) throws Exception {
    while (in.isReadable()) {
      int step = in.readByte() & 0xff;
      if (step < 16) {
        encoder.resize(step * MAX_TABLE / 15);
      } else if (step < 64 && !sent.isEmpty()) {
        send(new byte[0], sent.get(step % sent.size()));
      } else {
        byte[] path = bytes(in, step & 7);
        HeaderField[] fields = new HeaderField[step >> 3 & 7];
        for (int i = 0; i < fields.length; i++) {
          fields[i] = field(in);
        }
        HttpHeaders headers = HttpHeaders.ofFields(EngineAccess.GRANTED, fields);
        sent.add(headers);
        send(path, headers);
      }
    }
    in.release();
  }

  private static HeaderField field(ByteBuf in) {
    int choice = in.isReadable() ? in.readByte() & 0xff : 0;
    int length = choice >> 4 == 15 ? 300 : choice >> 4;
    byte[] value = bytes(in, length);
    return new HeaderField(HeaderName.of(NAMES[choice & 7]), value, (choice & 8) != 0);
  }

  /// Bytes of a value; white space, which a decoder removes at ends, is replaced.
  private static byte[] bytes(ByteBuf in, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      int b = in.isReadable() ? in.readByte() & 0xff : 'v';
      bytes[i] = (byte) (b <= 0x20 || b == 0x7f ? 'a' + (b & 0xf) : b);
    }
    return bytes;
  }

  private void send(byte[] path, HttpHeaders headers) throws Exception {
    ByteBuf out = ByteBufAllocator.shared().allocate(256);
    encoder.begin(out);
    encoder.pseudo(out, Pseudo.PATH, path);
    encoder.fields(out, headers);
    byte[] block = out.readBytes(out.readableBytes());
    out.release();
    List<TableEntry> fields = new ArrayList<>();
    decoder.decode(block, 0, block.length, fields::add);
    assertEquals(1 + headers.size(), fields.size());
    assertArrayEquals(path, fields.getFirst().value());
    for (int i = 0; i < headers.size(); i++) {
      HeaderField expected = headers.field(EngineAccess.GRANTED, i);
      HeaderField field = assertNotNullField(fields.get(i + 1));
      assertEquals(expected.name(), field.name());
      assertArrayEquals(expected.value(), field.value());
    }
    assertEquals(encoder.tableSize(), decoder.tableSize());
  }

  private static HeaderField assertNotNullField(TableEntry entry) {
    assertNotNull(entry.field(), () -> Arrays.toString(entry.value()));
    return entry.field();
  }
}
