package dev.quickwater.channel;

import dev.quickwater.channel.nio.NioProvider;
import dev.quickwater.channel.spi.TransportProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The transport of a group, and the reason for the choice.
public final class TransportChoice {

  private static final System.Logger LOG = System.getLogger(TransportChoice.class.getName());

  private final TransportProvider provider;
  private final String reason;

  private TransportChoice(TransportProvider provider, String reason) {
    this.provider = provider;
    this.reason = reason;
  }

  /// The installed transports, most preferred first. NIO is always installed.
  public static List<TransportProvider> installed() {
    List<TransportProvider> all = new ArrayList<>();
    all.add(new NioProvider());
    Iterator<TransportProvider> found =
        ServiceLoader.load(TransportProvider.class, TransportProvider.class.getClassLoader())
            .iterator();
    while (true) {
      try {
        if (!found.hasNext()) {
          break;
        }
        all.add(found.next());
      } catch (ServiceConfigurationError e) {
        LOG.log(System.Logger.Level.WARNING, "a transport is installed that does not load", e);
      }
    }
    all.sort(Comparator.comparingInt(TransportProvider::preference).reversed());
    return all;
  }

  static TransportChoice of(String wanted) {
    TransportChoice choice = wanted.equals("auto") ? best() : named(wanted);
    LOG.log(System.Logger.Level.DEBUG, "transport {0}: {1}", choice.name(), choice.reason);
    return choice;
  }

  private static TransportChoice best() {
    List<String> passedOver = new ArrayList<>();
    for (TransportProvider provider : installed()) {
      @Nullable String obstacle = provider.unusableReason();
      if (obstacle == null) {
        return new TransportChoice(
            provider,
            passedOver.isEmpty()
                ? "the best transport installed"
                : "instead of " + String.join("; ", passedOver));
      }
      passedOver.add(provider.name() + " (" + obstacle + ")");
    }
    throw new UnsupportedOperationException("no transport works here: " + passedOver);
  }

  private static TransportChoice named(String wanted) {
    List<TransportProvider> installed = installed();
    for (TransportProvider provider : installed) {
      if (provider.name().equals(wanted)) {
        @Nullable String obstacle = provider.unusableReason();
        if (obstacle != null) {
          throw new UnsupportedOperationException(
              "transport " + wanted + " does not work here: " + obstacle);
        }
        return new TransportChoice(provider, "selected by name");
      }
    }
    throw new UnsupportedOperationException(
        "no transport is named "
            + wanted
            + "; installed: "
            + installed.stream().map(TransportProvider::name).collect(Collectors.joining(", ")));
  }

  /// The transport's name: `epoll`, `nio`.
  public String name() {
    return provider.name();
  }

  /// The reason for the choice, for logs.
  public String reason() {
    return reason;
  }

  TransportProvider provider() {
    return provider;
  }

  @Override
  public String toString() {
    return name() + " (" + reason + ")";
  }
}
