package dev.quickwater.http;

/// The fields after a body; always the last part.
///
/// @param fields the fields
public record HttpTrailers(HttpHeaders fields) implements HttpMessage {

  @Override
  public boolean end() {
    return true;
  }
}
