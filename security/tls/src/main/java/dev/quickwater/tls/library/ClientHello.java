package dev.quickwater.tls.library;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of a ClientHello (RFC 8446 section 4.1.2) by which a server selects an identity and
/// refuses a fallback.
///
/// @param serverName the requested host name (RFC 6066 section 3) in lower case, without a trailing
///   dot, or null
/// @param applicationProtocols the offered application protocols (RFC 7301), in the order of the
///   client; empty if the extension is missing
/// @param offersTls13 whether the client offers TLS 1.3
/// @param fallback true if the client reports that an earlier handshake with a higher version
///   failed (TLS_FALLBACK_SCSV, RFC 7507)
public record ClientHello(
    @Nullable String serverName,
    List<String> applicationProtocols,
    boolean offersTls13,
    boolean fallback) {}
