package dev.quickwater.io.posix.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.io.posix.gate.NativeKernel;
import dev.quickwater.testkit.Threads;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DescriptorFileTest {

  @TempDir Path folder;

  private DescriptorFile open(String name, String content) throws IOException {
    return DescriptorFile.open(
        new NativeKernel(), Files.writeString(folder.resolve(name), content));
  }

  private static String read(DescriptorFile file) throws IOException {
    ByteBuf target = ByteBufAllocator.shared().allocate(16);
    try {
      assertTrue(file.read(0, target, 16) > 0);
      return target.readUtf8(target.readableBytes());
    } finally {
      target.release();
    }
  }

  @Test
  void closedFileRefusesUseAndNamesItself() throws IOException {
    DescriptorFile file = open("first", "first");
    file.close();
    DescriptorFile next = open("next", "next"); // most likely has the number of the first
    String message = assertThrows(IllegalStateException.class, file::fd).getMessage();
    assertEquals("the file is closed: " + folder.resolve("first"), message);
    assertThrows(IllegalStateException.class, () -> read(file));
    file.close();
    assertEquals("next", read(next));
    next.close();
  }

  @Test
  void fileThatCannotBeOpenedFailsAsAFile() throws Exception {
    NativeKernel kernel = new NativeKernel();
    Path file = Files.writeString(folder.resolve("file"), "content");
    assertThrows(
        NoSuchFileException.class, () -> DescriptorFile.open(kernel, folder.resolve("missing")));
    assertThrows(NoSuchFileException.class, () -> DescriptorFile.open(kernel, file.resolve("x")));
    assertThrows(FileSystemException.class, () -> DescriptorFile.open(kernel, folder));
  }

  @Test
  void fileIsReadAndClosedByAnotherThread() throws Exception {
    DescriptorFile file = open("file", "content");
    Threads.elsewhere(() -> {
      assertEquals("content", read(file));
      file.close();
    });
    assertThrows(IllegalStateException.class, () -> read(file));
  }
}
