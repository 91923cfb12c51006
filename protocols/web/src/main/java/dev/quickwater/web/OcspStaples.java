package dev.quickwater.web;

import dev.quickwater.channel.LoopSettings;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.ocsp.CertificateExtensions;
import dev.quickwater.web.VersionSettings.Versions;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The fetchers of the identities of one server. Thread-safe.
///
/// An identity has a fetcher if it has the certificate of its issuer, an address of a responder,
/// and no given response. Identities with the same certificate share a fetcher. It outlives a
/// replacement of the settings, so clients that require a response receive one meanwhile.
final class OcspStaples implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(OcspStapling.class.getName());

  private final OcspStapling settings;
  private final HttpClient client;
  private List<OcspFetcher> fetchers = List.of();
  private boolean closed;

  OcspStaples(OcspStapling settings) {
    this.settings = settings;
    ExchangeLimits limits =
        ExchangeLimits.DEFAULT
            .withMaxBody(settings.maxResponse())
            .withIdleTimeout(settings.timeout());
    HttpClientSettings defaults = HttpClientSettings.DEFAULT;
    this.client =
        HttpClient.create(
            defaults
                .withLoops(new LoopSettings(1, "auto"))
                .withVersions(defaults.versions().with(Versions.HTTP_1_1).withExchanges(limits))
                .withRequests(
                    defaults.requests().withTimeout(settings.timeout()).withMaxRedirects(0)));
  }

  /// Settings with fetched responses, which begin when [#use] is called.
  record Prepared(TlsSettings settings, List<OcspFetcher> fetchers) {}

  /// @throws IllegalArgumentException if a certificate is malformed
  synchronized Prepared prepare(TlsSettings tls) {
    Map<TlsIdentity, TlsIdentity> replaced = new HashMap<>();
    Set<OcspFetcher> made = new LinkedHashSet<>();
    for (TlsIdentity identity : tls.identities().all()) {
      @Nullable OcspFetcher fetcher = fetcher(identity, made);
      if (fetcher != null) {
        made.add(fetcher);
        replaced.put(identity, identity.withOcspResponses(fetcher));
      }
    }
    if (made.isEmpty()) {
      return new Prepared(tls, List.of());
    }
    Map<String, TlsIdentity> byName = new HashMap<>();
    tls.identities()
        .byName()
        .forEach((name, each) -> byName.put(name, replaced.getOrDefault(each, each)));
    @Nullable TlsIdentity first = tls.identities().defaultIdentity();
    TlsIdentities identities =
        new TlsIdentities(first == null ? null : replaced.getOrDefault(first, first), byName);
    return new Prepared(tls.withIdentities(identities), List.copyOf(made));
  }

  /// @param made the fetchers of other identities
  private @Nullable OcspFetcher fetcher(TlsIdentity identity, Set<OcspFetcher> made) {
    X509Certificate certificate = identity.chain().getFirst();
    if (identity.staples()) {
      return null;
    }
    @Nullable URI responder =
        settings.responder() == null
            ? CertificateExtensions.responder(certificate)
            : settings.responder();
    if (responder == null || identity.chain().size() < 2) {
      LOG.log(
          System.Logger.Level.INFO,
          () ->
              "no OCSP responses for "
                  + certificate.getSubjectX500Principal()
                  + ": "
                  + (responder == null
                      ? "the certificate names no responder (setting responder)"
                      : "the chain has no certificate of the issuer"));
      return null;
    }
    X509Certificate issuer = identity.chain().get(1);
    return Stream.concat(fetchers.stream(), made.stream())
        .filter(each -> each.fetches(responder, certificate, issuer))
        .findFirst()
        .orElseGet(() -> new OcspFetcher(settings, client, responder, certificate, issuer));
  }

  /// Starts the fetchers of settings that are in use, and ends those that are no longer used.
  synchronized void use(Prepared prepared) {
    if (closed) {
      return;
    }
    for (OcspFetcher each : fetchers) {
      if (!prepared.fetchers.contains(each)) {
        each.close();
      }
    }
    fetchers = prepared.fetchers;
    fetchers.forEach(OcspFetcher::start);
  }

  synchronized List<OcspStatus> status() {
    return fetchers.stream().map(OcspFetcher::status).toList();
  }

  @Override
  public synchronized void close() {
    closed = true;
    fetchers.forEach(OcspFetcher::close);
    client.close();
  }
}
