package dev.quickwater.channel;

import dev.quickwater.util.setting.SettingCheck;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.HashMap;
import java.util.Map;

/// The backlog and the options of sockets.
///
/// @param backlog maximum number of connections that wait to be accepted; the system may allow
///   fewer
/// @param options socket options of connections. They are set on a new socket before it connects,
///   and on each accepted connection. A listening socket itself gets only `SO_RCVBUF`,
///   `SO_REUSEADDR` and `SO_REUSEPORT`. `listen` and `connect` fail if the transport does not
///   support an option.
public record SocketSettings(int backlog, Map<SocketOption<?>, Object> options) {

  /// A backlog of 4,096, `TCP_NODELAY`.
  public static final SocketSettings DEFAULT =
      new SocketSettings(4096, Map.of(StandardSocketOptions.TCP_NODELAY, true));

  /// Checks the backlog and the type of each option's value.
  public SocketSettings {
    SettingCheck.require(backlog > 0, "backlog", backlog, "1 or more");
    options = Map.copyOf(options);
    options.forEach((option, value) ->
        SettingCheck.require(
            option.type().isInstance(value),
            option.name(),
            value,
            "a value of " + option.type().getSimpleName()));
  }

  /// These settings with one more socket option.
  public <T> SocketSettings withOption(SocketOption<T> option, T value) {
    Map<SocketOption<?>, Object> more = new HashMap<>(options);
    more.put(option, value);
    return new SocketSettings(backlog, more);
  }
}
