package dev.quickwater.http.engine;

/// The part of an HTTP/1.1 response head that does not depend on the connection: the status line,
/// the fields and, if the length is known, Content-Length. Date, Connection, Transfer-Encoding and
/// the empty line are missing.
///
/// @param bytes the encoded part; the caller only reads it
/// @param hasDate true if the fields have a Date
/// @param hasLength true if Content-Length is included
@SuppressWarnings("ArrayRecordComponent") // never compared; the array is only read
public record EncodedHead(byte[] bytes, boolean hasDate, boolean hasLength) {}
