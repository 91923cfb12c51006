package dev.quickwater.testsuite.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.web.HttpServer;
import dev.quickwater.web.Routes;
import dev.quickwater.web.RunningServer;
import dev.quickwater.web.StaticFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The memory of a server while curl transfers 1 GiB over TLS in each direction.
@Tag("full")
@EnabledOnOs(OS.LINUX)
final class TlsTransferMemoryTest {

  private static final long GIBIBYTE = 1L << 30;
  private static final long PAGE = 4096;

  /// Several times the maximum of one connection: 512 KiB of ciphertext, a batch of plaintext and
  /// the receive buffer.
  private static final long MAX_BUFFERS = 8 << 20;

  /// The maximum growth of the heap after a garbage collection.
  private static final long MAX_HEAP_GROWTH = 16 << 20;

  /// The maximum growth of resident memory, including garbage, compiled code and the memory of the
  /// compilers.
  private static final long MAX_RESIDENT_GROWTH = 384L << 20;

  @TempDir private Path dir;

  /// The largest values since the start of the transfers.
  private static final class Peaks {
    private volatile long buffers;
    private volatile long resident;

    void sample() {
      long used = AllocatorMetrics.total(true).used() + AllocatorMetrics.total(false).used();
      buffers = Math.max(buffers, used);
      resident = Math.max(resident, residentBytes());
    }
  }

  private static long residentBytes() {
    try {
      return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * PAGE;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long heap() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /// Counts a body and drops it.
  private static final class Counter implements BodyReader {
    private final HttpExchange exchange;
    private long length;

    Counter(HttpExchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public void data(ByteBuf bytes) {
      length += bytes.readableBytes();
      bytes.release();
      exchange.requestBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {
      exchange.respond(HttpResponse.text("" + length));
    }
  }

  private RunningServer start(TlsLibrary library, Path files) throws IOException {
    Routes routes =
        new Routes()
            .post(
                "/length",
                x -> {
                  x.limits(x.limits().withMaxBody(2 * GIBIBYTE));
                  x.requestBody().read(new Counter(x));
                })
            .mount("/files", StaticFiles.at("/files/", files));
    return HttpServer.create(routes)
        .tls(TlsFiles.server(library))
        .listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
  }

  private String curl(TlsFiles files, String... arguments) throws Exception {
    String[] start = {
      "curl", "-sS", "--http1.1", "--max-time", "55", "--cacert", "" + files.certificate()
    };
    String[] all = new String[start.length + arguments.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(arguments, 0, all, start.length, arguments.length);
    return Peer.run(dir, all);
  }

  private void transfer(RunningServer server, TlsFiles files, String name, long length)
      throws Exception {
    String url = "https://localhost:" + server.port();
    String down = url + "/files/" + name;
    assertEquals(
        "200 " + length,
        curl(files, "-o", "/dev/null", "-w", "%{http_code} %{size_download}", down));
    String up = dir.resolve("files").resolve(name).toString();
    assertEquals(
        "" + length, curl(files, "-H", "Expect:", "-X", "POST", "-T", up, url + "/length"));
  }

  private static void create(Path file, long length) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(length);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsLibrary.class,
      names = {"OPENSSL", "JDK"})
  void gibibyteInEachDirectionKeepsMemoryFlat(TlsLibrary library) throws Exception {
    TlsFiles files = TlsFiles.in(dir);
    Path folder = Files.createDirectory(dir.resolve("files"));
    create(folder.resolve("small"), 64 << 20);
    create(folder.resolve("large"), GIBIBYTE);
    Peaks peaks = new Peaks();
    try (RunningServer server = start(library, folder);
        ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor()) {
      transfer(server, files, "small", 64 << 20);
      long heap = heap();
      long resident = residentBytes();
      var sampling = sampler.scheduleAtFixedRate(peaks::sample, 0, 20, TimeUnit.MILLISECONDS);
      transfer(server, files, "large", GIBIBYTE);
      sampling.cancel(false);
      long heapGrowth = heap() - heap;
      long residentGrowth = peaks.resident - resident;
      String facts =
          library
              + ": buffers "
              + peaks.buffers
              + ", heap +"
              + heapGrowth
              + ", resident +"
              + residentGrowth;
      assertTrue(peaks.buffers > 0 && peaks.buffers < MAX_BUFFERS, facts);
      assertTrue(heapGrowth < MAX_HEAP_GROWTH, facts);
      assertTrue(residentGrowth < MAX_RESIDENT_GROWTH, facts);
      System.getLogger(TlsTransferMemoryTest.class.getName()).log(System.Logger.Level.INFO, facts);
    }
  }
}
