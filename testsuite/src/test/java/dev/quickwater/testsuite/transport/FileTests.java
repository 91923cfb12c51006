package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.Channel;
import dev.quickwater.common.Promise;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sending files.
abstract class FileTests extends TransportTest {

  @TempDir Path folder;

  private Path file(int length) throws IOException {
    return Files.write(folder.resolve("file-" + length), Payloads.bytes(0, length));
  }

  private static FileSource open(Channel channel, Path path) throws Exception {
    Promise<FileSource> promise = channel.loop().newPromise();
    channel
        .loop()
        .execute(() -> {
          try {
            promise.success(channel.loop().openFile(path));
          } catch (Throwable t) {
            promise.failure(t);
          }
        });
    return await(promise);
  }

  @Test
  void regionsAndBuffersArriveInOrder() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Socket socket = rawAccept(peer);
    Path path = file(5 << 20);
    channel.write(ByteBuf.utf8("head "));
    channel.write(new FileRegion(open(channel, path), 0, 1000));
    channel.write(ByteBuf.utf8(" middle "));
    channel.write(new FileRegion(open(channel, path), 500, 0));
    channel.write(new FileRegion(open(channel, path), 1000, (5 << 20) - 1000));
    Promise<Void> last = channel.loop().newPromise();
    channel.writeAndFlush(ByteBuf.utf8(" tail"), last);
    byte[] received = socket.getInputStream().readNBytes((5 << 20) + 18);
    await(last);
    assertEquals("head ", new String(received, 0, 5));
    for (int i = 0; i < 1000; i++) {
      assertEquals(Payloads.at(i), received[5 + i]);
    }
    assertEquals(" middle ", new String(received, 1005, 8));
    for (int i = 1000; i < 5 << 20; i++) {
      assertEquals(Payloads.at(i), received[13 + i]);
    }
    assertEquals(" tail", new String(received, received.length - 5, 5));
  }

  @Test
  void sourcesOfAnotherKindAreRead() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Socket socket = rawAccept(peer);
    channel.write(new FileRegion(ChannelFileSource.open(file(300_000)), 0, 300_000));
    channel.writeAndFlush(new FileRegion(new Generated(300_000), 1000, 299_000));
    byte[] received = socket.getInputStream().readNBytes(599_000);
    assertArrayEquals(Payloads.bytes(0, 300_000), java.util.Arrays.copyOf(received, 300_000));
    assertArrayEquals(
        Payloads.bytes(1000, 299_000), java.util.Arrays.copyOfRange(received, 300_000, 599_000));
  }

  /// A file source without a file.
  private record Generated(long size) implements FileSource {

    @Override
    public int read(long position, ByteBuf target, int length) {
      int some = Math.max(1, length / 2);
      target.writeBytes(Payloads.bytes(position, some));
      return some;
    }

    @Override
    public void close() {}
  }

  @Test
  void fileThatShrinksFailsTheChannel() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    Path path = file(100_000);
    FileRegion region = new FileRegion(open(channel, path), 0, 100_000);
    Files.write(path, new byte[10], StandardOpenOption.TRUNCATE_EXISTING);
    Promise<Void> promise = channel.loop().newPromise();
    channel.writeAndFlush(region, promise);
    assertInstanceOf(EOFException.class, failureOf(promise));
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
    assertEquals(10, socket.getInputStream().readAllBytes().length);
  }

  @Test
  void closingInTheMiddleReleasesTheFile() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    rawAccept(peer);
    Promise<Void> promise = channel.loop().newPromise();
    channel.writeAndFlush(new FileRegion(open(channel, file(32 << 20)), 0, 32 << 20), promise);
    channel.close();
    failureOf(promise);
  }

  @Test
  void whatIsNoPlainFileIsRefused() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Path link = Files.createSymbolicLink(folder.resolve("link"), file(10));
    assertThrows(IOException.class, () -> open(channel, link));
    assertThrows(NoSuchFileException.class, () -> open(channel, folder.resolve("missing")));
    assertThrows(IOException.class, () -> open(channel, folder));
    assertTrue(channel.isActive());
  }
}
