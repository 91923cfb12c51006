package dev.quickwater.microbench.tls;

import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsEngine;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsSessions;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;

/// Handshakes between two engines of ours.
final class QuickwaterHandshakes {

  private QuickwaterHandshakes() {}

  /// Arguments: `openssl` or `jdk`, `full` or `resumed`, seconds of warm-up, seconds.
  public static void main(String[] args) throws Exception {
    LoopAllocator allocator = new LoopAllocator();
    allocator.attach();
    TlsSessions sessions = args[1].equals("resumed") ? TlsSessions.DEFAULT : TlsSessions.OFF;
    TlsSettings settings =
        TlsSettings.server(Identity.ours())
            .withLibrary(args[0].equals("jdk") ? TlsLibrary.JDK : TlsLibrary.OPENSSL)
            .withSessions(sessions)
            .withProtocols(
                TlsProtocols.DEFAULT
                    .withVersions(TlsProtocols.Version.TLS_1_3)
                    .withCipherSuites("TLS_AES_128_GCM_SHA256"));
    TlsTrust trust = TlsTrust.DEFAULT.withCertificates(Identity.ours().chain().getFirst());
    try (TlsContext ofServer = TlsContext.server(settings);
        TlsContext ofClient = TlsContext.client(settings.withTrust(trust))) {
      HandshakeLoop.report(
          () -> {
            try (TlsEngine client = ofClient.connect("localhost", 443, allocator);
                TlsEngine server = ofServer.accept(allocator)) {
              Joined.connect(client, server);
              return client.session().resumed();
            }
          },
          ofServer.description(),
          Integer.parseInt(args[2]),
          Integer.parseInt(args[3]));
    }
    allocator.detach();
  }
}
