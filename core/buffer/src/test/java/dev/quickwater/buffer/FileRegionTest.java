package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileRegionTest extends Buffers {

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void makeFile() throws IOException {
    file = Files.writeString(directory.resolve("file"), "0123456789");
  }

  @Test
  void advanceMovesPositionAndSize() throws IOException {
    FileRegion region = new FileRegion(ChannelFileSource.open(file), 2, 6);
    region.advance(4);
    assertEquals(6, region.position());
    assertEquals(2, region.size());
    assertThrows(IndexOutOfBoundsException.class, () -> region.advance(3));
    assertThrows(IndexOutOfBoundsException.class, () -> region.advance(-1));
    region.advance(2);
    assertEquals(0, region.size());
    region.release();
  }

  @Test
  void rangeOutsideTheFileIsRefusedAndTheSourceStaysTheCallers() throws IOException {
    try (ChannelFileSource source = ChannelFileSource.open(file)) {
      assertThrows(IndexOutOfBoundsException.class, () -> new FileRegion(source, 5, 6));
      assertThrows(IndexOutOfBoundsException.class, () -> new FileRegion(source, -1, 1));
      assertTrue(source.channel().isOpen());
    }
  }

  @Test
  void releaseClosesTheFileOnce() throws IOException {
    ChannelFileSource source = ChannelFileSource.open(file);
    FileRegion region = new FileRegion(source, 0, 10);
    region.release();
    assertFalse(source.channel().isOpen());
    assertThrows(IllegalStateException.class, region::release);
    assertThrows(IllegalStateException.class, region::source);
  }

  @EachStorage
  void sourceReadsAtAPosition(Storage storage) throws IOException {
    ByteBuf buffer = buffer(storage, 8);
    try (ChannelFileSource source = ChannelFileSource.open(file)) {
      assertEquals(10, source.size());
      assertEquals(4, source.read(3, buffer, 4));
      assertEquals(1, source.read(9, buffer, 4));
      assertEquals(-1, source.read(10, buffer, 4));
    }
    assertEquals("34569", buffer.toString(StandardCharsets.US_ASCII));
    buffer.release();
  }

  @Test
  void linksAndMissingFilesAreRefused() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThrows(IOException.class, () -> ChannelFileSource.open(link));
    Path missing = directory.resolve("missing");
    assertThrows(NoSuchFileException.class, () -> ChannelFileSource.open(missing));
  }
}
