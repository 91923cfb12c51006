package dev.quickwater.microbench.http;

import java.nio.charset.StandardCharsets;

/// Requests as they come from the wire.
public enum Samples {
  /// The least that HTTP/1.1 allows.
  SMALLEST("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),

  /// What load generators send.
  SIMPLE("GET /plaintext HTTP/1.1\r\nHost: localhost:8080\r\nAccept: */*\r\n\r\n"),

  /// What a browser sends: 12 fields.
  BROWSER(
      """
      GET /articles/2026/07/how-to-measure?page=2&lang=en HTTP/1.1
      Host: www.example.org
      User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
      Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
      Accept-Language: en-GB,en;q=0.7,de;q=0.3
      Accept-Encoding: gzip, deflate, br, zstd
      Referer: https://www.example.org/articles/2026/07/
      Connection: keep-alive
      Cookie: session=8f14e45fceea167a5a36dedd4bea2543; theme=dark; seen=17
      Upgrade-Insecure-Requests: 1
      Sec-Fetch-Dest: document
      Sec-Fetch-Mode: navigate
      Cache-Control: max-age=0

      """
          .replace("\n", "\r\n"));

  private final String text;

  Samples(String text) {
    this.text = text;
  }

  /// So many of them one after another, all equal.
  byte[] bytes(int count) {
    return bytes(count, Repetition.EQUAL);
  }

  /// So many of them one after another.
  byte[] bytes(int count, Repetition repetition) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.append(repetition.change(text, i));
    }
    return all.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
