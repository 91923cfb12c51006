package dev.quickwater.http.engine;

import dev.quickwater.common.AttributeMap;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResponseTransform;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What an exchange has only if its handlers ask for it. Loop only, except that attributes may be
/// read by the thread of a blocking handler.
final class Extras {

  final AttributeMap attributes = new AttributeMap();
  @Nullable ExchangeLimits limits;
  final List<Runnable> onDrain = new ArrayList<>(0);
  final List<Consumer<? super Outcome>> onEnd = new ArrayList<>(0);
  final List<ResponseTransform> transforms = new ArrayList<>(0);
  final List<Function<? super Throwable, ? extends @Nullable HttpResponse>> mappings =
      new ArrayList<>(0);

  /// The first transformation of the body of the response; null without one.
  @Nullable OutgoingBody transformed;

  /// How the exchange ended; null before.
  @Nullable Outcome outcome;
}
