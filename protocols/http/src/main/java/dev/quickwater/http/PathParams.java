package dev.quickwater.http;

import dev.quickwater.common.AttributeKey;
import dev.quickwater.http.engine.EngineAccess;
import java.util.List;
import java.util.Objects;

/// The parameters of a route pattern with their values from a path: decoded, and without `/`.
public final class PathParams {

  /// The attribute of the exchange that holds them.
  public static final AttributeKey<PathParams> KEY = AttributeKey.named("path parameters");

  private final String pattern;
  private final List<String> names;
  private final List<String> values;

  private PathParams(String pattern, List<String> names, List<String> values) {
    this.pattern = pattern;
    this.names = names;
    this.values = values;
  }

  /// For routes: a value for each name.
  @SuppressWarnings("exports")
  public static PathParams of(
      EngineAccess access, String pattern, List<String> names, List<String> values) {
    Objects.requireNonNull(access);
    if (names.size() != values.size()) {
      throw new IllegalArgumentException(names.size() + " names, " + values.size() + " values");
    }
    return new PathParams(pattern, names, values);
  }

  /// The pattern of the route, such as `/users/{id}`.
  public String pattern() {
    return pattern;
  }

  /// The value of a parameter.
  ///
  /// @throws IllegalArgumentException if the pattern has no such parameter
  public String get(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("the pattern " + pattern + " has no parameter " + name);
    }
    return values.get(index);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(pattern);
    for (int i = 0; i < names.size(); i++) {
      text.append(' ').append(names.get(i)).append('=').append(values.get(i));
    }
    return text.toString();
  }
}
