package dev.quickwater.web;

import dev.quickwater.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/// Settings of [StaticFiles]; immutable, checked when created.
///
/// @param index the name of the file that is served for a directory; null for none
/// @param cacheControl the Cache-Control field of 200, 206 and 304; null for none
/// @param precompressed true to serve `name.br`, `name.zst` or `name.gz` instead of `name` to
///   clients that accept the coding; a compressed file older than `name` is ignored
/// @param maxListed the maximum number of entries in the listing of a directory without an index; 0
///   for no listing
public record StaticFilesSettings(
    @Nullable String index, @Nullable String cacheControl, boolean precompressed, int maxListed) {

  /// `index.html`, no Cache-Control, no precompressed files, no listing.
  public static final StaticFilesSettings DEFAULT =
      new StaticFilesSettings("index.html", null, false, 0);

  /// Checks the values.
  ///
  /// @throws IllegalArgumentException if a value is out of its range, or not a valid field value
  public StaticFilesSettings {
    if (index != null && (index.isEmpty() || index.indexOf('/') >= 0 || index.equals(".."))) {
      throw new IllegalArgumentException("index is \"" + index + "\", expected the name of a file");
    }
    if (cacheControl != null) {
      HttpHeaders.of("cache-control", cacheControl); // refuses what no field may contain
    }
    if (maxListed < 0) {
      throw new IllegalArgumentException("maxListed is " + maxListed + ", expected 0 or more");
    }
  }

  /// These settings with another index, or without one.
  public StaticFilesSettings withIndex(@Nullable String name) {
    return new StaticFilesSettings(name, cacheControl, precompressed, maxListed);
  }

  /// These settings with another Cache-Control field, or without one.
  public StaticFilesSettings withCacheControl(@Nullable String value) {
    return new StaticFilesSettings(index, value, precompressed, maxListed);
  }

  /// These settings with or without precompressed files.
  public StaticFilesSettings withPrecompressed(boolean served) {
    return new StaticFilesSettings(index, cacheControl, served, maxListed);
  }

  /// These settings with a listing of at most `count` entries; 0 for no listing.
  public StaticFilesSettings withMaxListed(int count) {
    return new StaticFilesSettings(index, cacheControl, precompressed, count);
  }
}
