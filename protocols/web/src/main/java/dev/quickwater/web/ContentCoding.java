package dev.quickwater.web;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Content codings (RFC 9110 section 8.4.1), best first.
enum ContentCoding {
  BROTLI("br", ".br"),
  ZSTD("zstd", ".zst"),
  GZIP("gzip", ".gz"),
  DEFLATE("deflate", ".zz");

  /// The codings of precompressed files.
  static final Set<ContentCoding> OF_FILES = EnumSet.of(BROTLI, ZSTD, GZIP);

  /// The codings of [Compress].
  static final Set<ContentCoding> OF_COMPRESSION = EnumSet.of(GZIP, DEFLATE);

  private static final int MAX_QUALITY = 1000;

  /// The maximum number of list members that are read. A longer list is an attack.
  private static final int MAX_MEMBERS = 64;

  private final String token;
  private final String suffix;

  ContentCoding(String token, String suffix) {
    this.token = token;
    this.suffix = suffix;
  }

  /// The value of Content-Encoding.
  String token() {
    return token;
  }

  /// The suffix of a compressed file's name.
  String suffix() {
    return suffix;
  }

  /// The offered codings that a client prefers to the plain content, best first (RFC 9110 section
  /// 12.5.3). A client without the field receives the plain content. Codings of equal quality are
  /// in the order of this enum. Malformed members are not acceptable.
  static List<ContentCoding> accepted(List<String> fields, Set<ContentCoding> offered) {
    Map<ContentCoding, Integer> quality = new EnumMap<>(ContentCoding.class);
    int plain = -1;
    int others = -1;
    int members = 0;
    for (String field : fields) {
      for (String member : field.split(",", MAX_MEMBERS)) {
        if (++members > MAX_MEMBERS) {
          break;
        }
        int semicolon = member.indexOf(';');
        String name = (semicolon < 0 ? member : member.substring(0, semicolon)).strip();
        int q = semicolon < 0 ? MAX_QUALITY : quality(member.substring(semicolon + 1).strip());
        switch (name.toLowerCase(Locale.ROOT)) {
          case "br" -> quality.put(BROTLI, q);
          case "zstd" -> quality.put(ZSTD, q);
          case "gzip", "x-gzip" -> quality.put(GZIP, q);
          case "deflate" -> quality.put(DEFLATE, q);
          case "identity" -> plain = q;
          case "*" -> others = q;
          default -> {}
        }
      }
    }
    return sorted(quality, plain, others, offered);
  }

  private static List<ContentCoding> sorted(
      Map<ContentCoding, Integer> quality, int plain, int others, Set<ContentCoding> offered) {
    List<ContentCoding> accepted = new ArrayList<>();
    for (ContentCoding coding : offered) {
      int q = quality.computeIfAbsent(coding, _ -> others);
      if (q > 0 && q >= plain) {
        accepted.add(coding);
      }
    }
    accepted.sort(Comparator.comparing(quality::get, Comparator.reverseOrder()));
    return accepted;
  }

  /// A weight in thousandths: `q=` and a number from 0 to 1 with at most three decimals (RFC 9110
  /// section 12.4.2); 0 if it is malformed.
  private static int quality(String parameter) {
    if (!parameter.regionMatches(true, 0, "q=", 0, 2)) {
      return 0;
    }
    String text = parameter.substring(2).strip();
    int length = text.length();
    boolean hasForm = length == 1 || length >= 2 && length <= 5 && text.charAt(1) == '.';
    if (!hasForm) {
      return 0;
    }
    int value = 0;
    for (int i = 0; i < 5; i++) {
      char c = i == 1 ? '.' : i < length ? text.charAt(i) : '0';
      if (i != 1) {
        if (c < '0' || c > '9') {
          return 0;
        }
        value = value * 10 + (c - '0');
      }
    }
    return value <= MAX_QUALITY ? value : 0;
  }
}
