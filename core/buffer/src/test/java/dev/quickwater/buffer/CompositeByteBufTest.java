package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CompositeByteBufTest extends Buffers {

  @EachStorage
  void sizeIsWhatAllPartsHaveToRead(Storage storage) {
    ByteBuf one = counting(storage, 10);
    ByteBuf other = ByteBuf.utf8("abc");
    one.skip(4);
    CompositeByteBuf composite = CompositeByteBuf.of(one, other, ByteBuf.wrap());
    assertEquals(9, composite.size());
    assertEquals(List.of(one, other, ByteBuf.wrap()), composite.parts());
    assertThrows(UnsupportedOperationException.class, () -> composite.parts().clear());
    composite.release();
  }

  @EachStorage
  void releaseReleasesEveryPartOnce(Storage storage) {
    ByteBuf one = counting(storage, 10);
    ByteBuf other = counting(storage, 10);
    CompositeByteBuf composite = CompositeByteBuf.of(one, other);
    composite.release();
    assertFalse(one.isLive());
    assertFalse(other.isLive());
    assertThrows(IllegalStateException.class, composite::release);
    assertThrows(IllegalStateException.class, composite::parts);
  }

  @EachStorage
  void oneReleasedPartDoesNotKeepTheOthers(Storage storage) {
    ByteBuf one = counting(storage, 10);
    ByteBuf other = counting(storage, 10);
    CompositeByteBuf composite = CompositeByteBuf.of(one, other);
    one.release();
    assertThrows(IllegalStateException.class, composite::release);
    assertFalse(other.isLive());
  }

  @EachStorage
  void releasedPartIsRefusedFromTheStart(Storage storage) {
    ByteBuf one = counting(storage, 10);
    one.release();
    assertThrows(IllegalStateException.class, () -> CompositeByteBuf.of(one));
  }

  @Test
  void compositeMayBeEmpty() {
    CompositeByteBuf composite = CompositeByteBuf.of();
    assertEquals(0, composite.size());
    assertTrue(composite.parts().isEmpty());
    composite.release();
  }
}
