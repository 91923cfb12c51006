package dev.quickwater.web;

import dev.quickwater.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/// What can be set on [StaticFiles]; immutable, checked when it is made.
///
/// @param index the name of the file that is served for a directory, or null for none
/// @param cacheControl the Cache-Control field of files and of 304, or null for none
/// @param precompressed if a file `name.br`, `name.zst` or `name.gz` that is not older than `name`
///   is served in its place to clients that accept its coding
/// @param maxListed how many entries of a directory without an index are listed; 0 for no listing
public record StaticFilesSettings(
    @Nullable String index, @Nullable String cacheControl, boolean precompressed, int maxListed) {

  /// `index.html`, no Cache-Control, no precompressed files, no listing.
  public static final StaticFilesSettings DEFAULT =
      new StaticFilesSettings("index.html", null, false, 0);

  /// Checks the values.
  ///
  /// @throws IllegalArgumentException if a value is out of its range, or no field value
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
