package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A field enters the compression table, and one byte for each reference makes it a field again:
/// bytes on the wire become thousands of times as many decoded. A window of zero holds the
/// responses, and with them the requests.
final class HpackBombTest {

  private static final int NEWEST = 62;
  private static final int REFERENCES = 12_000;
  private static final int PER_BATCH = 50;

  /// What the repeated field is.
  enum Charge {
    LONG_VALUE("x", "a".repeat(3900)),
    EMPTY_VALUE("x", ""),
    FAT_COOKIE("cookie", "a=" + "b".repeat(3900)),
    EMPTY_COOKIE("cookie", "");

    private final String name;
    private final String value;

    Charge(String name, String value) {
      this.name = name;
      this.value = value;
    }

    Frame request(int stream, String path, int references) {
      return Frame.headers(stream, Fields.get(path).insert(name, value).indexed(NEWEST, references))
          .last();
    }

    Attack attack() {
      return new Attack() {
        @Override
        public RawPeer open(int port) throws IOException {
          return RawPeer.withSettings(
              port, RawPeer.HEADER_TABLE_SIZE, 0, RawPeer.INITIAL_WINDOW_SIZE, 0);
        }

        @Override
        public byte[] batch(int number) {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          for (int i = 0; i < PER_BATCH; i++) {
            out.writeBytes(request(Attack.stream(number, PER_BATCH, i), "/hang", 5000).bytes());
          }
          return out.toByteArray();
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void decodedFieldsAreCounted(Charge charge) throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(charge.request(1, "/hang", REFERENCES));
      String outcome = peer.outcome(1);
      assertTrue(
          outcome.equals("431") || outcome.startsWith("goaway") || outcome.startsWith("reset"),
          outcome);
      assertEquals(0, target.calls());
    }
  }

  /// The compression state of the refused block is that of the following block.
  @ParameterizedTest
  @EnumSource
  void connectionOfRefusedHeadIsUsable(Charge charge) throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(charge.request(1, "/plaintext", 200));
      String outcome = peer.outcome(1);
      boolean small = charge == Charge.EMPTY_COOKIE; // the parts of a cookie are one field
      assertEquals(small ? "200" : "431", outcome.replace("reset 1", "431"));
      peer.send(
          Frame.headers(3, Fields.get("/plaintext").insert("y", "1").indexed(NEWEST, 1)).last());
      assertEquals("200", peer.outcome(3));
    }
  }

  @ParameterizedTest
  @EnumSource
  void bombsOnManyStreamsStayWithinMemory(Charge charge) throws Exception {
    try (Target target = new Target()) {
      var _ = new Flood(target, charge.attack(), Flood.Reading.YES).once(20);
      Target.eventually("no open exchange", () -> target.open() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(Charge charge) throws Exception {
    try (Target target = new Target()) {
      new Flood(target, charge.attack(), Flood.Reading.YES).sustained();
    }
  }
}
