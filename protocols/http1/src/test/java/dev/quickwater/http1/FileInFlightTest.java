package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file that is being sent has the same back-pressure as bytes in memory.
final class FileInFlightTest {

  private static final int SIZE = 300_000;

  @TempDir Path dir;

  private final AtomicInteger open = new AtomicInteger();

  /// Counts how many files are open.
  private final class Counted implements FileSource {
    private final FileSource file;

    Counted(FileSource file) {
      this.file = file;
      open.incrementAndGet();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public int read(long position, dev.quickwater.buffer.ByteBuf target, int length)
        throws IOException {
      return file.read(position, target, length);
    }

    @Override
    public void close() throws IOException {
      open.decrementAndGet();
      file.close();
    }
  }

  private HttpHandler files() throws IOException {
    Path file = Files.write(dir.resolve("file"), new byte[SIZE]);
    return x -> {
      FileSource source = new Counted(x.loop().openFile(file));
      x.respond(ResponseHead.of(HttpStatus.OK), new FileRegion(source, 0, SIZE));
    };
  }

  @Test
  void pipelinedRequestsOpenOneFileAtATime() throws IOException {
    try (TestServer server = new TestServer(files())) {
      server.peer.setWindow(0);
      for (int i = 0; i < 1000; i++) {
        server.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20));
      }
      assertEquals(1, open.get());
      assertFalse(server.peer.isReading());
      server.peer.setWindow(SIZE + 100);
      server.peer.runTasks();
      assertEquals(1, open.get());
      assertEquals(2, server.exchanges.size());
      server.peer.setWindow(SIZE + 100);
      server.peer.runTasks();
      assertEquals(3, server.exchanges.size());
    }
    assertEquals(0, open.get());
  }

  @Test
  void keepAliveDoesNotCutALongDownload() throws IOException {
    try (TestServer server = new TestServer(files())) {
      server.peer.setWindow(0);
      server.get("/");
      for (int i = 0; i < 20; i++) {
        server.advanceSeconds(10);
        server.peer.setWindow(4000);
      }
      server.assertOpen();
      server.peer.setWindow(Long.MAX_VALUE);
      server.get("/");
      assertEquals(2, server.exchanges.size());
      assertEquals(0, open.get());
    }
  }

  @Test
  void slowReaderOfAFileIsCutOff() throws IOException {
    try (TestServer server = new TestServer(files())) {
      server.peer.setWindow(0);
      server.get("/");
      for (int i = 0; i < 10 && !server.peer.isClosed(); i++) {
        server.advanceSeconds(10);
        server.peer.setWindow(100);
      }
      server.assertClosed();
      assertEquals(0, open.get());
    }
  }

  @Test
  void fileOfAClosingConnectionArrivesWhole() throws IOException {
    try (TestServer server = new TestServer(Http1Settings.DEFAULT.withHalfClose(true), files())) {
      server.peer.setWindow(10);
      server.send("GET / HTTP/1.0\r\n\r\n").advanceSeconds(20);
      server.peer.endInput();
      assertFalse(server.peer.isClosed());
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      assertTrue(server.peer.takeSent().readableBytes() > SIZE);
      server.assertClosed();
    }
  }

  @Test
  void fileThatShrinksBreaksTheConnection() throws IOException {
    Path file = dir.resolve("file");
    try (TestServer server = new TestServer(files())) {
      server.peer.setWindow(1000);
      server.get("/");
      Files.write(file, new byte[1000]);
      server.peer.setWindow(Long.MAX_VALUE);
      server.peer.runTasks();
      server.assertClosed();
    }
    assertEquals(0, open.get());
  }

  @Test
  void idleTimeoutDoesNotEndADownloadThatProgresses() throws IOException {
    for (int rate : new int[] {0, 100}) {
      Http1Settings settings =
          Http1Settings.DEFAULT.withExchanges(
              new ExchangeLimits(0, 0, rate, Duration.ofSeconds(10)));
      try (TestServer server = new TestServer(settings, files())) {
        server.peer.setWindow(0);
        server.get("/");
        for (int i = 0; i < 20; i++) {
          server.advanceSeconds(6);
          server.peer.setWindow(4000);
        }
        server.assertOpen();
        server.advanceSeconds(30);
        server.assertClosed();
      }
    }
    assertEquals(0, open.get());
  }
}
