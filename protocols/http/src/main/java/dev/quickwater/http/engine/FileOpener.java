package dev.quickwater.http.engine;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.RejectedExecutionException;

/// Opens the file of a response on a virtual thread and continues on the loop.
final class FileOpener {

  private FileOpener() {}

  static void open(ServerExchange exchange, ResponseHead head, ResponseBody.OfFile file) {
    Thread.startVirtualThread(() -> {
      try {
        FileSource source = open(exchange.loop(), file);
        hand(exchange, head, source);
      } catch (Throwable t) {
        exchange.submit(() -> exchange.fail(failureOf(t)));
      }
    });
  }

  private static void hand(ServerExchange exchange, ResponseHead head, FileSource source)
      throws IOException {
    FileRegion region = new FileRegion(source, 0, source.size());
    try {
      exchange.execute(() -> exchange.fulfil(head, region));
    } catch (RejectedExecutionException e) {
      region.release();
      throw e;
    }
  }

  private static FileSource open(EventLoop loop, ResponseBody.OfFile file) throws IOException {
    return file.root() == null
        ? loop.openFile(file.file())
        : loop.openFile(file.root().toRealPath(), file.file().toString());
  }

  private static Throwable failureOf(Throwable cause) {
    return switch (cause) {
      case NoSuchFileException _,
          AccessDeniedException _,
          NotDirectoryException _,
          FileSystemLoopException _,
          InvalidPathException _ ->
          new HttpException(HttpStatus.NOT_FOUND, "no such file");
      case IOException e -> {
        AbstractExchange.LOG.log(
            System.Logger.Level.WARNING, "the file of a response cannot be opened", e);
        yield new HttpException(HttpStatus.SERVICE_UNAVAILABLE, "the file cannot be read");
      }
      default -> cause;
    };
  }
}
