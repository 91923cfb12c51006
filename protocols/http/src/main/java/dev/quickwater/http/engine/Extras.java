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

/// What an exchange has only if its handlers ask for it. Loop only, except that attributes may be
/// read by the thread of a blocking handler. Lists are made when something is added ([#with]),
/// because most exchanges that have extras have path parameters alone.
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

  /// How the exchange ended; null before, and after a complete response that no callback awaited.
  @Nullable Outcome outcome;

  /// A list with one item more: `list`, unless that is immutable because it is empty.
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
