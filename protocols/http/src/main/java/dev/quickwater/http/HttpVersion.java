package dev.quickwater.http;

/// The version of HTTP of a request or a connection.
public enum HttpVersion {
  HTTP_1_0("HTTP/1.0"),
  HTTP_1_1("HTTP/1.1"),
  HTTP_2("HTTP/2");

  private final String text;

  HttpVersion(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
