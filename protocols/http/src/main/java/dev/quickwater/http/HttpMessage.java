package dev.quickwater.http;

/// A part of one direction of an exchange: informational responses, then a head, then data, then
/// maybe trailers. Exactly one part is the last, and says so.
public sealed interface HttpMessage permits HttpRequest, HttpResponse, HttpData, HttpTrailers {

  /// True when nothing follows in this direction.
  boolean end();
}
