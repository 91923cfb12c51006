package dev.quickwater.web;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.Filter;
import dev.quickwater.http.ForwardingExchange;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.ResponseTransform;
import dev.quickwater.util.setting.SettingCheck;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A filter that compresses responses by gzip or deflate, as the client accepts (RFC 9110 section
/// 12.5.3).
///
/// - **Which responses:** text, JSON, XML, JavaScript, WebAssembly and SVG. The filter does not
///   compress a body that is shorter than a minimum, has a content coding, a range or a digest, or
///   has the directive `no-transform` (RFC 9111 section 5.2.2.6), and no stream of events.
/// - **Fields:** each response of these types has `Vary: accept-encoding`. A compressed response
///   has a weak entity tag (RFC 9110 section 8.8.3.3), no announced length and no Accept-Ranges.
///   Trailers with digests of the plain content are removed. The response to HEAD has the same
///   fields as that to GET. A 304 has the weak tag if that is the tag that the client has stored;
///   otherwise the client cannot update its stored response (RFC 9111 section 4.3.4). If-Match
///   never matches a weak tag.
/// - **Ranges:** a compressed response and the plain content have the same modification date, so a
///   date does not distinguish them. If the client accepts a coding, and If-Range is a date or a
///   weak tag, the handler sees neither Range nor If-Range and sends the whole content (RFC 9110
///   section 13.1.5). With a strong tag, or without If-Range, the handler sends a range of the
///   plain content.
/// - **Streaming:** pieces are compressed as they are written, at most 64 KiB in a turn of the loop
///   for all its responses together. A body whose bytes wait for a further turn is not writable. A
///   flush sends all bytes written before it.
/// - **Memory:** a compressed response holds about 300 KiB until its end. While as many as `max`
///   responses are being compressed, others are sent as they are.
///
/// Compression reveals the length of secrets to an attacker who can add text to the same response
/// (BREACH). Do not use this filter for responses that contain both a secret and text of the
/// client.
public final class Compress implements Filter {

  /// Digests of encoded bytes (RFC 9530).
  static final List<HeaderName> DIGESTS =
      Stream.of("content-digest", "repr-digest", "digest", "content-md5")
          .map(HeaderName::of)
          .toList();

  /// The prefix of a weak entity tag.
  private static final String WEAK = "W/";

  private static final int DEFAULT_MIN_LENGTH = 1024;
  private static final int DEFAULT_MAX = 256;

  private final int minLength;
  private final int max;
  private final AtomicInteger active = new AtomicInteger();
  private final ConcurrentHashMap<EventLoop, CompressionBudget> budgets = new ConcurrentHashMap<>();

  /// A filter that compresses bodies from 1,024 bytes on, at most 256 at the same time.
  public Compress() {
    this(DEFAULT_MIN_LENGTH, DEFAULT_MAX);
  }

  /// A filter with other limits.
  ///
  /// @param minLength bytes from which a body of announced length is compressed
  /// @param max responses that are compressed at the same time
  public Compress(int minLength, int max) {
    SettingCheck.require(minLength >= 0, "minLength", minLength, "0 or more");
    SettingCheck.require(max >= 1, "max", max, "1 or more");
    this.minLength = minLength;
    this.max = max;
  }

  @Override
  public void handle(HttpExchange x, HttpHandler next) throws Exception {
    x.onRespond(new Transform(x));
    next.handle(mayResumeAnotherForm(x) ? new WholeContent(x) : x);
  }

  /// True if a client could complete a stored part of a compressed response with plain bytes: its
  /// If-Range matches both forms.
  private static boolean mayResumeAnotherForm(HttpExchange x) {
    HttpHeaders fields = x.request().headers();
    @Nullable String condition = fields.get(HeaderName.IF_RANGE);
    return condition != null && !condition.startsWith("\"") && !accepted(x).isEmpty();
  }

  private static List<ContentCoding> accepted(HttpExchange x) {
    return ContentCoding.accepted(
        x.request().headers().getAll(HeaderName.ACCEPT_ENCODING), ContentCoding.OF_COMPRESSION);
  }

  /// Fields or trailers without digests: a digest of one form is wrong for the other.
  static HttpHeaders withoutDigests(HttpHeaders fields) {
    if (DIGESTS.stream().noneMatch(fields::contains)) {
      return fields;
    }
    HttpHeaders.Builder kept = fields.toBuilder();
    DIGESTS.forEach(kept::remove);
    return kept.build();
  }

  /// An exchange whose request is without Range and If-Range.
  private static final class WholeContent extends ForwardingExchange {

    private final RequestHead request;

    WholeContent(HttpExchange x) {
      super(x);
      request =
          x.request().toBuilder().remove(HeaderName.RANGE).remove(HeaderName.IF_RANGE).build();
    }

    @Override
    public RequestHead request() {
      return request;
    }
  }

  /// The number of responses that are being compressed.
  int active() {
    return active.get();
  }

  private static boolean isCompressible(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    int semicolon = contentType.indexOf(';');
    String type =
        (semicolon < 0 ? contentType : contentType.substring(0, semicolon))
            .strip()
            .toLowerCase(Locale.ROOT);
    return switch (type) {
      case "text/event-stream" -> false;
      case "application/json",
          "application/javascript",
          "application/xml",
          "application/wasm",
          "application/manifest+json",
          "image/svg+xml" ->
          true;
      default -> type.startsWith("text/") || type.endsWith("+json") || type.endsWith("+xml");
    };
  }

  /// The transformation of one exchange.
  private final class Transform implements ResponseTransform {

    private final HttpExchange x;
    private @Nullable ContentCoding coding;

    Transform(HttpExchange x) {
      this.x = x;
    }

    @Override
    public ResponseHead head(ResponseHead head) {
      coding = null; // that of a head which an error has replaced

      if (head.status().equals(HttpStatus.NOT_MODIFIED)) {
        return notModified(head);
      }
      HttpHeaders fields = head.headers();
      if (!isCompressible(fields.get(HeaderName.CONTENT_TYPE)) || head.status().isBodiless()) {
        return head;
      }
      HttpHeaders.Builder changed = varying(fields);
      coding = mayCompress(head) ? preferred() : null;
      if (coding == null) {
        return head.withHeaders(changed.build());
      }
      @Nullable String tag = fields.get(HeaderName.ETAG);
      if (tag != null && !tag.startsWith(WEAK)) {
        changed.set(HeaderName.ETAG, WEAK + tag);
      }
      changed.remove(HeaderName.ACCEPT_RANGES).set(HeaderName.CONTENT_ENCODING, coding.token());
      return head.withHeaders(changed.build()).withLength(-1);
    }

    /// A 304 has no Content-Type, but the request has the tag of the stored response.
    private ResponseHead notModified(ResponseHead head) {
      HttpHeaders fields = head.headers();
      @Nullable String tag = fields.get(HeaderName.ETAG);
      if (tag == null || tag.startsWith(WEAK)) {
        return head;
      }
      for (String known : x.request().headers().getAll(HeaderName.IF_NONE_MATCH)) {
        if (known.contains(WEAK + tag)) {
          return head.withHeaders(varying(fields).set(HeaderName.ETAG, WEAK + tag).build());
        }
      }
      return head;
    }

    private static HttpHeaders.Builder varying(HttpHeaders fields) {
      HttpHeaders.Builder changed = fields.toBuilder();
      return fields.containsToken(HeaderName.VARY, "accept-encoding")
              || fields.containsToken(HeaderName.VARY, "*")
          ? changed
          : changed.add(HeaderName.VARY, "accept-encoding");
    }

    private boolean mayCompress(ResponseHead head) {
      HttpHeaders fields = head.headers();
      long length = head.contentLength();
      return (length < 0 || length >= minLength)
          && !head.status().equals(HttpStatus.PARTIAL_CONTENT)
          && !fields.contains(HeaderName.CONTENT_RANGE)
          && !fields.contains(HeaderName.CONTENT_ENCODING)
          && DIGESTS.stream().noneMatch(fields::contains)
          && !fields.containsToken(HeaderName.CACHE_CONTROL, "no-transform");
    }

    /// The coding that the client prefers; null for none, or if too many responses are compressed.
    private @Nullable ContentCoding preferred() {
      List<ContentCoding> accepted = accepted(x);
      if (accepted.isEmpty()) {
        return null;
      }
      if (active.incrementAndGet() > max) {
        active.decrementAndGet();
        return null;
      }
      x.onEnd(_ -> active.decrementAndGet());
      return accepted.getFirst();
    }

    @Override
    public OutgoingBody body(OutgoingBody next) {
      if (coding == null) {
        return next;
      }
      CompressionBudget budget = budgets.computeIfAbsent(x.loop(), CompressionBudget::new);
      CompressedBody body = new CompressedBody(x, coding, budget, next);
      x.onEnd(_ -> body.release());
      return body;
    }
  }
}
