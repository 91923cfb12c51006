package dev.quickwater.web;

import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The OCSP responses of one certificate of a server.
///
/// @param subject the subject of the certificate
/// @param responder where responses are fetched
/// @param fetched how many responses were fetched and verified
/// @param failed how many attempts failed
/// @param validUntil when the response that the server sends expires: its end, or 10 minutes after
///   its begin if it has no end; null if the server sends none
/// @param failure why the last attempt failed; null if it succeeded
public record OcspStatus(
    String subject,
    URI responder,
    long fetched,
    long failed,
    @Nullable Instant validUntil,
    @Nullable String failure) {}
