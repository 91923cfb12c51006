package dev.quickwater.web;

import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.http.PathParams;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the handler of a request by its method and path.
///
/// - A pattern is a path of segments. A segment is text, or `{name}` for any one segment. The last
///   segment may be `{name...}` for the rest of the path. Text is preferred to `{name}`, and
///   `{name}` to the rest.
/// - Paths are compared in decoded, canonical form: `/%66iles/a` equals `/files/a`. A parameter of
///   one segment never contains a slash or NUL and is never `.` or `..`.
/// - The handler of GET also handles HEAD. The response to OPTIONS lists the methods of the path.
///   The response to a method that the path does not have is 405. The response to an unknown method
///   that no route has is 501.
/// - Routes are added before the server starts. Safe on any thread after that.
public final class Routes implements HttpHandler {

  /// The usual maximum number of parameters in a pattern.
  private static final int MAX_USUAL = 4;

  private final RouteNode root = new RouteNode();

  /// Patterns without parameters by path: most requests are found here with one lookup.
  private final Map<String, RouteNode> fixed = new HashMap<>();

  private final List<Mapping<?>> mappings = new ArrayList<>();

  private record Mapping<T extends Throwable>(
      Class<T> type, Function<? super T, HttpResponse> response) {

    @Nullable HttpResponse of(Throwable cause) {
      return type.isInstance(cause) ? response.apply(type.cast(cause)) : null;
    }
  }

  /// The node of a path, which a target keeps.
  ///
  /// @param version the number of routes of the table when the node was found
  private record Match(Routes table, int version, RouteNode node, PathParams params) {}

  /// The number of routes: a node found earlier is not used after a route was added.
  private int version;

  /// No routes.
  public Routes() {}

  /// Adds a handler for GET and HEAD.
  ///
  /// @throws IllegalArgumentException for a malformed pattern, or one that has a handler
  public Routes get(String pattern, HttpHandler handler) {
    return add(HttpMethod.GET, pattern, handler);
  }

  /// Adds a handler for POST.
  public Routes post(String pattern, HttpHandler handler) {
    return add(HttpMethod.POST, pattern, handler);
  }

  /// Adds a handler for PUT.
  public Routes put(String pattern, HttpHandler handler) {
    return add(HttpMethod.PUT, pattern, handler);
  }

  /// Adds a handler for DELETE.
  public Routes delete(String pattern, HttpHandler handler) {
    return add(HttpMethod.DELETE, pattern, handler);
  }

  /// Adds a handler for a method.
  ///
  /// @throws IllegalArgumentException for a malformed pattern, or one that has a handler
  public Routes add(HttpMethod method, String pattern, HttpHandler handler) {
    RouteNode node = root.insert(pattern);
    node.add(method, handler);
    version++;
    if (pattern.indexOf('{') < 0) {
      fixed.put(pattern, node);
    }
    return this;
  }

  /// Adds a handler for every method and every path below `prefix`. The parameter `path` is the
  /// rest of the path.
  public Routes mount(String prefix, HttpHandler handler) {
    String base = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    root.insert(base + "/{path...}").addAny(handler);
    version++;
    return this;
  }

  /// Maps failures of one type, including its subclasses, to a response. Mappings added later are
  /// tried first.
  public <T extends Throwable> Routes error(
      Class<T> type, Function<? super T, HttpResponse> response) {
    mappings.add(new Mapping<>(type, response));
    return this;
  }

  @Override
  public void handle(HttpExchange x) throws Exception {
    for (Mapping<?> mapping : mappings) {
      x.onFail(mapping::of);
    }
    RequestHead request = x.request();
    if (request.target().isAsterisk()) {
      x.respond(HttpResponse.of(HttpStatus.OK));
      return;
    }
    RouteNode node;
    if (request.target().route(EngineAccess.GRANTED) instanceof Match known
        && known.table == this
        && known.version == version) {
      node = known.node;
      x.attribute(PathParams.KEY, known.params);
    } else {
      @Nullable RouteNode plain = fixed.get(request.path());
      node = plain == null ? withParams(x) : plain;
    }
    @Nullable HttpHandler handler = node.handler(request.method());
    if (handler != null) {
      handler.handle(x);
    } else {
      refuse(x, node);
    }
  }

  /// Finds a node with parameters. The target keeps the node for the next request with an equal
  /// head.
  private RouteNode withParams(HttpExchange x) {
    HttpTarget target = x.request().target();
    List<String> values = new ArrayList<>(MAX_USUAL);
    @Nullable RouteNode node = root.find(target.segments(), 0, values);
    if (node == null) {
      throw unknown(x.request().method());
    }
    PathParams params = node.params(values);
    target.route(EngineAccess.GRANTED, new Match(this, version, node, params));
    x.attribute(PathParams.KEY, params);
    return node;
  }

  private static HttpException unknown(HttpMethod method) {
    return method.isKnown() && method != HttpMethod.CONNECT
        ? new HttpException(HttpStatus.NOT_FOUND, "no such resource")
        : notImplemented(method);
  }

  private static HttpException notImplemented(HttpMethod method) {
    return new HttpException(
        HttpStatus.NOT_IMPLEMENTED, "the method " + method + " is not implemented");
  }

  private static void refuse(HttpExchange x, RouteNode node) {
    HttpMethod method = x.request().method();
    if (!method.isKnown()) {
      throw notImplemented(method);
    }
    HttpHeaders allow = HttpHeaders.of("allow", node.allowed());
    x.respond(
        HttpResponse.of(
            method == HttpMethod.OPTIONS ? HttpStatus.NO_CONTENT : HttpStatus.METHOD_NOT_ALLOWED,
            allow,
            new byte[0]));
  }
}
