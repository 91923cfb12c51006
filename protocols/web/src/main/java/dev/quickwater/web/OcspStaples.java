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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The fetchers of the identities of one server. Thread-safe.
///
/// An identity gets one if it has the certificate of its issuer, an address of a responder, and no
/// given response.
final class OcspStaples implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(OcspStapling.class.getName());

  private final OcspStapling settings;
  private final HttpClient client;
  private List<OcspFetcher> fetchers = List.of();

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
  Prepared prepare(TlsSettings tls) {
    Map<TlsIdentity, TlsIdentity> replaced = new HashMap<>();
    Map<TlsIdentity, OcspFetcher> made = new HashMap<>();
    for (TlsIdentity identity : tls.identities().all()) {
      @Nullable OcspFetcher fetcher = fetcher(identity);
      if (fetcher != null) {
        made.put(identity, fetcher);
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
    return new Prepared(tls.withIdentities(identities), List.copyOf(made.values()));
  }

  private @Nullable OcspFetcher fetcher(TlsIdentity identity) {
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
    return new OcspFetcher(settings, client, responder, certificate, identity.chain().get(1));
  }

  /// Starts the fetchers of settings that are in use, and ends the previous ones.
  synchronized void use(Prepared prepared) {
    fetchers.forEach(OcspFetcher::close);
    fetchers = prepared.fetchers;
    fetchers.forEach(OcspFetcher::start);
  }

  synchronized List<OcspStatus> status() {
    return fetchers.stream().map(OcspFetcher::status).toList();
  }

  @Override
  public synchronized void close() {
    fetchers.forEach(OcspFetcher::close);
    client.close();
  }
}
