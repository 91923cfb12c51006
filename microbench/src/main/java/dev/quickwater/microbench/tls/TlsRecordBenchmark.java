package dev.quickwater.microbench.tls;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsEngine;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a batch of records cost in TLS 1.3 with AES-128-GCM: `Wrap` to encrypt it, `RoundTrip`
/// to encrypt and decrypt it? Both sides encrypt one record a call, and decrypt the batch together.
///
/// Quickwater's engine allocates and releases its output, as a connection does; Netty's engine
/// writes to one buffer. With `native`, Quickwater uses the OpenSSL of the setting
/// `dev.quickwater.tls.library`, and Netty the BoringSSL of tcnative.
public class TlsRecordBenchmark extends PairedBenchmark {

  private static final String SUITE = "TLS_AES_128_GCM_SHA256";

  @Param({"64", "1024", "16384"})
  public int length;

  @Param({"1", "4", "16"})
  public int records;

  @Param({"native", "jdk"})
  public String library = "native";

  private final LoopAllocator allocator = new LoopAllocator();
  private @Nullable TlsEngine client;
  private @Nullable TlsEngine server;
  private @Nullable NettyEngines netty;
  private @Nullable ByteBuf data;
  private ByteBuffer nettyData = ByteBuffer.allocate(0);

  @Setup
  public void prepare() throws Exception {
    allocator.attach();
    boolean jdk = library.equals("jdk");
    data = allocator.allocate(length).writeBytes(new byte[length]);
    TlsSettings settings =
        TlsSettings.server(Identity.ours())
            .withLibrary(jdk ? TlsLibrary.JDK : TlsLibrary.OPENSSL)
            .withProtocols(
                TlsProtocols.DEFAULT
                    .withVersions(TlsProtocols.Version.TLS_1_3)
                    .withCipherSuites(SUITE));
    TlsTrust trust = TlsTrust.DEFAULT.withCertificates(Identity.ours().chain().getFirst());
    try (TlsContext ofServer = TlsContext.server(settings);
        TlsContext ofClient = TlsContext.client(settings.withTrust(trust))) {
      System.out.println("# " + ofServer.description());
      client = ofClient.connect("localhost", 443, allocator);
      server = ofServer.accept(allocator);
      Joined.connect(client, server);
    }
    if (!jdk) {
      OpenSsl.ensureAvailability();
    }
    NettyEngines.Contexts contexts =
        NettyEngines.Contexts.of(jdk ? SslProvider.JDK : SslProvider.OPENSSL_REFCNT, SUITE);
    netty = new NettyEngines(contexts, contexts.room(), contexts.room());
    contexts.release();
    nettyData = jdk ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
  }

  @TearDown
  public void release() {
    Objects.requireNonNull(client).close();
    Objects.requireNonNull(server).close();
    Objects.requireNonNull(data).release();
    Objects.requireNonNull(netty).release();
    allocator.detach();
  }

  private ByteBuf wrap() throws Exception {
    TlsEngine engine = Objects.requireNonNull(client);
    ByteBuf plaintext = Objects.requireNonNull(data);
    for (int i = 0; i < records; i++) {
      engine.write(plaintext.share());
    }
    return Objects.requireNonNull(engine.takeOutput());
  }

  @Benchmark
  public int quickwaterWrap() throws Exception {
    ByteBuf output = wrap();
    int size = output.readableBytes();
    output.release();
    return size;
  }

  @Benchmark
  public int nettyWrap() throws Exception {
    NettyEngines engines = Objects.requireNonNull(netty);
    engines.wrap(nettyData, records);
    return engines.records.limit();
  }

  @Benchmark
  public int quickwaterRoundTrip() throws Exception {
    TlsEngine engine = Objects.requireNonNull(server);
    engine.receive(wrap());
    int size = 0;
    for (@Nullable ByteBuf part = engine.read(); part != null; part = engine.read()) {
      size += part.readableBytes();
      part.release();
    }
    if (size != length * records) {
      throw new IllegalStateException(size + " bytes");
    }
    return size;
  }

  @Benchmark
  public int nettyRoundTrip() throws Exception {
    NettyEngines engines = Objects.requireNonNull(netty);
    engines.wrap(nettyData, records);
    engines.unwrap();
    if (engines.plaintext.position() != length * records) {
      throw new IllegalStateException(engines.plaintext.position() + " bytes");
    }
    return engines.plaintext.position();
  }
}
