package dev.quickwater.web;

import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.PathParams;
import dev.quickwater.http.engine.EngineAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A node of the tree of routes: one segment of the patterns.
final class RouteNode {

  private final Map<String, RouteNode> texts = new HashMap<>();
  private @Nullable RouteNode parameter;
  private @Nullable RouteNode rest;

  private final Map<HttpMethod, HttpHandler> handlers = new LinkedHashMap<>();

  /// The handler of GET, outside of the map because most requests are GET.
  private @Nullable HttpHandler get;

  private @Nullable HttpHandler any;

  /// The pattern that ends at this node, and the names of its parameters in order.
  private String pattern = "";

  private List<String> names = List.of();

  /// The node of a pattern; created if missing.
  RouteNode insert(String newPattern) {
    if (!newPattern.startsWith("/")) {
      throw new IllegalArgumentException("the pattern " + newPattern + " does not begin with /");
    }
    RouteNode node = this;
    List<String> found = new ArrayList<>();
    String[] segments = newPattern.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      node = node.child(newPattern, segments[i], i == segments.length - 1, found);
    }
    if (!node.pattern.isEmpty() && !node.names.equals(found)) {
      throw new IllegalArgumentException(
          "the patterns " + node.pattern + " and " + newPattern + " differ in names alone");
    }
    node.pattern = newPattern;
    node.names = List.copyOf(found);
    return node;
  }

  private RouteNode child(String newPattern, String segment, boolean last, List<String> found) {
    if (!segment.startsWith("{")) {
      if (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0) {
        throw malformed(newPattern, segment);
      }
      return texts.computeIfAbsent(segment, _ -> new RouteNode());
    }
    boolean isRest = segment.endsWith("...}");
    String name = segment.substring(1, Math.max(1, segment.length() - (isRest ? 4 : 1)));
    if (!segment.endsWith("}") || name.isEmpty() || found.contains(name) || isRest && !last) {
      throw malformed(newPattern, segment);
    }
    found.add(name);
    RouteNode made = new RouteNode();
    if (isRest) {
      rest = rest == null ? made : rest;
      return rest;
    }
    parameter = parameter == null ? made : parameter;
    return parameter;
  }

  private static IllegalArgumentException malformed(String pattern, String segment) {
    return new IllegalArgumentException(
        "the segment "
            + segment
            + " of the pattern "
            + pattern
            + " is neither text nor {name}, nor {name...} at the end");
  }

  void add(HttpMethod method, HttpHandler handler) {
    if (handlers.putIfAbsent(method, handler) != null) {
      throw new IllegalArgumentException(method + " " + pattern + " has a handler");
    }
    if (method == HttpMethod.GET) {
      get = handler;
    }
  }

  void addAny(HttpHandler handler) {
    if (any != null) {
      throw new IllegalArgumentException(pattern + " has a handler for all methods");
    }
    any = handler;
  }

  private boolean isRoute() {
    return any != null || !handlers.isEmpty();
  }

  /// The node of a path; the values of its parameters are added to `values`.
  @Nullable RouteNode find(List<String> segments, int from, List<String> values) {
    if (from == segments.size()) {
      return isRoute() ? this : null;
    }
    String segment = segments.get(from);
    @Nullable RouteNode text = texts.get(segment);
    if (text != null) {
      @Nullable RouteNode found = text.find(segments, from + 1, values);
      if (found != null) {
        return found;
      }
    }
    int mark = values.size();
    if (parameter != null && !segment.isEmpty()) {
      values.add(segment);
      @Nullable RouteNode found = parameter.find(segments, from + 1, values);
      if (found != null) {
        return found;
      }
      values.subList(mark, values.size()).clear();
    }
    if (rest != null) {
      values.add(String.join("/", segments.subList(from, segments.size())));
    }
    return rest;
  }

  PathParams params(List<String> values) {
    return PathParams.of(EngineAccess.GRANTED, pattern, names, values);
  }

  @Nullable HttpHandler handler(HttpMethod method) {
    if (method == HttpMethod.GET && get != null) {
      return get;
    }
    @Nullable HttpHandler found = handlers.get(method);
    if (found == null && method == HttpMethod.HEAD) {
      found = handlers.get(HttpMethod.GET);
    }
    return found == null ? any : found;
  }

  /// The methods of the path, for an Allow field.
  String allowed() {
    TreeSet<String> allowed = new TreeSet<>();
    handlers.keySet().forEach(method -> allowed.add(method.name()));
    if (handlers.containsKey(HttpMethod.GET)) {
      allowed.add("HEAD");
    }
    allowed.add("OPTIONS");
    return String.join(", ", allowed);
  }
}
