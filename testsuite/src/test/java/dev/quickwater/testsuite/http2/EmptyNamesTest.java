package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

/// CVE-2019-9516: fields with empty names and values, which take memory and count as nothing.
final class EmptyNamesTest {

  private static final int PER_BATCH = 100;

  private static byte[] requests(int batch) {
    Fields fields = Fields.get("/hang");
    for (int i = 0; i < 1000; i++) {
      fields.insert("", "");
    }
    byte[] block = fields.block();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < PER_BATCH; i++) {
      int stream = Attack.stream(batch, PER_BATCH, i);
      out.writeBytes(Frame.headers(stream, Fields.empty().raw(block)).last().bytes());
    }
    return out.toByteArray();
  }

  @Test
  void handlersAreNotCalled() throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, EmptyNamesTest::requests, Flood.Reading.YES).once(50);
      assertTrue(result.end().equals("closed") || result.end().startsWith("goaway"), result.end());
      assertEquals(3, target.calls(), "requests of the neighbour");
    }
  }
}
