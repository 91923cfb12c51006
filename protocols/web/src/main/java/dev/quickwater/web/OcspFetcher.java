package dev.quickwater.web;

import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.tls.ocsp.OcspRequest;
import dev.quickwater.tls.ocsp.OcspResponse;
import java.io.IOException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps an OCSP response for one certificate: a virtual thread fetches and verifies it, and event
/// loops read it. A response that is refused does not replace one that is still valid.
final class OcspFetcher implements Supplier<byte @Nullable []>, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(OcspStapling.class.getName());

  private static final String REQUEST_TYPE = "application/ocsp-request";

  /// Delays vary by up to this fraction in both directions.
  private static final double JITTER = 0.1;

  /// Doubling the delay more often has no further effect on any realistic setting.
  private static final int MAX_DOUBLINGS = 20;

  /// How long a response without an end is sent, after its begin. Clients, for example those of the
  /// JDK, accept it for 15 minutes.
  private static final Duration UNDATED_LIFE = Duration.ofMinutes(10);

  private final OcspStapling settings;
  private final HttpClient client;
  private final URI responder;
  private final X509Certificate certificate;
  private final byte[] request;
  private final X509Certificate issuer;
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean started;
  private volatile @Nullable OcspResponse current;
  private volatile @Nullable String failure;

  /// Failed attempts in a row; used by the thread that fetches.
  private int sinceSuccess;

  private final AtomicLong fetched = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /// @param client limits the time and length of a response
  OcspFetcher(
      OcspStapling settings,
      HttpClient client,
      URI responder,
      X509Certificate certificate,
      X509Certificate issuer) {
    this.settings = settings;
    this.client = client;
    this.responder = responder;
    this.certificate = certificate;
    this.issuer = issuer;
    this.request = OcspRequest.of(certificate, issuer);
  }

  /// Later calls have no effect. Calls do not overlap.
  void start() {
    if (started) {
      return;
    }
    started = true;
    Thread.ofVirtual().name("quickwater-ocsp").start(this::run);
  }

  /// The response to send; null if there is none that is valid.
  @Override
  public byte @Nullable [] get() {
    @Nullable OcspResponse response = current;
    return response == null || isExpired(response) ? null : response.encoded();
  }

  private static boolean isExpired(OcspResponse response) {
    return end(response).isBefore(Instant.now());
  }

  private static Instant end(OcspResponse response) {
    @Nullable Instant end = response.nextUpdate();
    return end == null ? response.thisUpdate().plus(UNDATED_LIFE) : end;
  }

  /// True for a fetcher of the same responses.
  boolean fetches(URI from, X509Certificate of, X509Certificate by) {
    return responder.equals(from) && certificate.equals(of) && issuer.equals(by);
  }

  private void run() {
    try {
      Duration delay;
      do {
        delay = attempt();
      } while (!closed.await(delay.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// One attempt, by the only thread that writes the fields.
  ///
  /// @return the time until the next one
  private Duration attempt() {
    double jitter = 1 + ThreadLocalRandom.current().nextDouble(-JITTER, JITTER);
    try {
      OcspResponse response = fetch();
      current = response;
      failure = null;
      fetched.incrementAndGet();
      return refreshDelay(response, Instant.now(), settings, jitter);
    } catch (IOException | RuntimeException e) {
      if (closed.getCount() > 0) {
        report(e);
      }
      return retryDelay(sinceSuccess++, settings, jitter);
    }
  }

  private OcspResponse fetch() throws IOException {
    HttpResponse response =
        client.blocking().send(HttpRequest.post(responder.toString(), REQUEST_TYPE, request));
    if (!response.status().equals(HttpStatus.OK)) {
      throw new IOException("the responder answered with the status " + response.status());
    }
    OcspResponse verified = OcspResponse.verified(response.bytes(), certificate, issuer);
    if (isExpired(verified)) {
      throw new IOException("the response has expired");
    }
    sinceSuccess = 0;
    return verified;
  }

  private void report(Exception e) {
    failure = String.valueOf(e.getMessage());
    failed.incrementAndGet();
    byte @Nullable [] kept = get();
    LOG.log(
        System.Logger.Level.WARNING,
        () ->
            "no OCSP response for "
                + certificate.getSubjectX500Principal()
                + " from "
                + responder
                + ": "
                + failure
                + (kept == null
                    ? "; clients receive none"
                    : "; the present one is valid until " + status().validUntil()));
  }

  /// Half of the life of a response after it began, within the delays of the settings.
  static Duration refreshDelay(
      OcspResponse response, Instant now, OcspStapling settings, double jitter) {
    Duration half = Duration.between(response.thisUpdate(), end(response)).dividedBy(2);
    return limited(Duration.between(now, response.thisUpdate().plus(half)), settings, jitter);
  }

  /// @param failures attempts that have failed before the last one
  static Duration retryDelay(int failures, OcspStapling settings, double jitter) {
    long factor = 1L << Math.min(failures, MAX_DOUBLINGS);
    Duration delay = settings.minDelay();
    boolean large = delay.compareTo(settings.maxDelay().dividedBy(factor)) > 0;
    return limited(large ? settings.maxDelay() : delay.multipliedBy(factor), settings, jitter);
  }

  private static Duration limited(Duration delay, OcspStapling settings, double jitter) {
    Duration atMost = delay.compareTo(settings.maxDelay()) > 0 ? settings.maxDelay() : delay;
    Duration bounded = atMost.compareTo(settings.minDelay()) < 0 ? settings.minDelay() : atMost;
    return Duration.ofMillis(Math.max(1, (long) (bounded.toMillis() * jitter)));
  }

  OcspStatus status() {
    @Nullable OcspResponse response = current;
    return new OcspStatus(
        certificate.getSubjectX500Principal().getName(),
        responder,
        fetched.get(),
        failed.get(),
        response == null || isExpired(response) ? null : end(response),
        failure);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
