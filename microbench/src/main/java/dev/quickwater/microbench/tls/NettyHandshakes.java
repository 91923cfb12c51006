package dev.quickwater.microbench.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionStats;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslProvider;
import java.nio.ByteBuffer;

/// Handshakes between two engines of Netty with tcnative and its BoringSSL, as its handler makes
/// them. Sessions are resumed as Netty is shipped.
final class NettyHandshakes {

  private NettyHandshakes() {}

  /// Arguments: seconds of warm-up, seconds.
  public static void main(String[] args) throws Exception {
    OpenSsl.ensureAvailability();
    NettyEngines.Contexts contexts =
        NettyEngines.Contexts.of(SslProvider.OPENSSL_REFCNT, "TLS_AES_128_GCM_SHA256");
    ByteBuffer records = contexts.room();
    ByteBuffer plaintext = contexts.room();
    OpenSslSessionStats stats =
        ((ReferenceCountedOpenSslContext) contexts.server()).sessionContext().stats();
    long[] resumed = new long[1];
    HandshakeLoop.report(
        () -> {
          NettyEngines engines = new NettyEngines(contexts, records, plaintext);
          engines.release();
          long before = resumed[0];
          resumed[0] = stats.hits();
          return resumed[0] > before;
        },
        OpenSsl.versionString(),
        Integer.parseInt(args[0]),
        Integer.parseInt(args[1]));
    contexts.release();
  }
}
