package dev.quickwater.tls.openssl;

import dev.quickwater.tls.TlsSessions;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sessions that a client can resume, by server. Thread-safe.
///
/// - A session of TLS 1.3 is offered once, because a server may recognise a client that offers it
///   twice (RFC 8446 appendix C.4). A session of TLS 1.2 is offered until it expires.
/// - If there are more than `cacheSize`, those of the server that was not used for the longest time
///   are dropped.
/// - After [#close], nothing is kept.
final class ClientSessions {

  /// A server sends two tickets by default.
  private static final int MAX_PER_SERVER = 4;

  private record Server(String host, int port) {}

  /// A session, owned by this object, with the chain that was verified when it was established.
  private record Kept(
      long session, List<X509Certificate> peerChain, boolean once, long sinceNanos) {}

  private final int maxSessions;

  /// A session of TLS 1.3 is a ticket in any case.
  private final boolean tickets;

  private final long lifetimeNanos;
  private final Map<Server, ArrayDeque<Kept>> servers = new LinkedHashMap<>(16, 0.75f, true);
  private int count;
  private boolean closed;

  ClientSessions(TlsSessions settings) {
    maxSessions = settings.cacheSize();
    tickets = settings.tickets();
    lifetimeNanos = settings.lifetime().toNanos();
  }

  /// Keeps a session and takes ownership of it.
  ///
  /// @return false if it is not kept, so the caller still owns it
  synchronized boolean add(String host, int port, long session, List<X509Certificate> peerChain) {
    if (closed || maxSessions == 0) {
      return false;
    }
    boolean once =
        (int) LibSsl.SSL_SESSION_get_protocol_version.call(session) >= LibSsl.TLS1_3_VERSION;
    if (once && !tickets) {
      return false;
    }
    ArrayDeque<Kept> kept =
        servers.computeIfAbsent(new Server(host, port), _ -> new ArrayDeque<>());
    kept.addLast(new Kept(session, List.copyOf(peerChain), once, System.nanoTime()));
    count++;
    while (kept.size() > (once ? MAX_PER_SERVER : 1)) {
      free(kept.removeFirst());
    }
    Iterator<ArrayDeque<Kept>> eldest = servers.values().iterator();
    while (count > maxSessions) {
      ArrayDeque<Kept> next = eldest.next();
      while (count > maxSessions && !next.isEmpty()) {
        free(next.removeFirst());
      }
      if (next.isEmpty()) {
        eldest.remove();
      }
    }
    return true;
  }

  /// Lets a connection offer the newest session of a server.
  ///
  /// @return the certificates that were verified when the session was established; null if there is
  ///   no session
  synchronized @Nullable List<X509Certificate> offer(long ssl, String host, int port) {
    var server = new Server(host, port);
    @Nullable ArrayDeque<Kept> kept = servers.get(server);
    while (kept != null && !kept.isEmpty()) {
      Kept last = kept.removeLast();
      boolean usable =
          System.nanoTime() - last.sinceNanos < lifetimeNanos
              && (int) LibSsl.SSL_SESSION_is_resumable.call(last.session) == 1
              && (int) LibSsl.SSL_set_session.call(ssl, last.session) == 1;
      if (usable && !last.once) {
        kept.addLast(last);
      } else {
        free(last);
      }
      if (usable) {
        return last.peerChain;
      }
    }
    servers.remove(server);
    return null;
  }

  private void free(Kept kept) {
    count--;
    LibSsl.SSL_SESSION_free.call(kept.session);
  }

  /// The number of sessions.
  synchronized int size() {
    return count;
  }

  synchronized void close() {
    closed = true;
    servers.values().forEach(kept -> kept.forEach(this::free));
    servers.clear();
  }
}
