package dev.quickwater.http.engine;

import dev.quickwater.common.AttributeKey;
import dev.quickwater.common.AttributeMap;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.PathParams;
import dev.quickwater.http.ResponseTransform;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// State that only some exchanges need, created on first use. Loop only, except that the thread of
/// a blocking handler may read attributes. Lists are created when an item is added ([#with]),
/// because most exchanges with extras have only path parameters.
final class Extras {

  private @Nullable PathParams params;
  private volatile @Nullable AttributeMap attributes;
  @Nullable ExchangeLimits limits;
  List<Runnable> onDrain = List.of();
  List<Consumer<? super Outcome>> onEnd = List.of();
  List<ResponseTransform> transforms = List.of();
  List<Function<? super Throwable, ? extends @Nullable HttpResponse>> mappings = List.of();

  /// The first transformation of the body of the response; null without one.
  @Nullable OutgoingBody transformed;

  /// How the exchange ended. Null before the end, and after a complete response that no callback
  /// waited for.
  @Nullable Outcome outcome;

  /// Adds an item to `list`; an immutable empty list is replaced by a new one.
  static <T> List<T> with(List<T> list, T item) {
    List<T> grown = list.isEmpty() ? new ArrayList<>(2) : list;
    grown.add(item);
    return grown;
  }

  @SuppressWarnings("unchecked")
  <T> @Nullable T get(AttributeKey<T> key) {
    if (key == PathParams.KEY) {
      return (T) params;
    }
    @Nullable AttributeMap made = attributes;
    return made == null ? null : made.get(key);
  }

  <T> void set(AttributeKey<T> key, T value) {
    if (key == PathParams.KEY) {
      params = (PathParams) Objects.requireNonNull(value, "value");
      return;
    }
    @Nullable AttributeMap made = attributes;
    if (made == null) {
      made = new AttributeMap();
      attributes = made;
    }
    made.set(key, value);
  }
}
