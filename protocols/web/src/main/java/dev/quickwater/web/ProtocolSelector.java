package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.tls.TlsSession;
import org.jspecify.annotations.Nullable;

/// Adds the handlers of the application protocol that the TLS handshake selected (ALPN, RFC 7301),
/// before the channel is active for them, then removes itself.
final class ProtocolSelector implements ChannelHandler {

  /// The name of HTTP/2 (RFC 9113 section 3.2).
  static final String HTTP_2 = "h2";

  /// The name of HTTP/1.1 (RFC 7301 section 6).
  static final String HTTP_1_1 = "http/1.1";

  /// Adds handlers.
  interface Selection {
    /// @param protocol the protocol, or null if the peer does not support ALPN
    void add(Channel channel, @Nullable String protocol) throws Exception;
  }

  private final Selection selection;

  ProtocolSelector(Selection selection) {
    this.selection = selection;
  }

  @Override
  public void userEvent(HandlerContext context, Object event) throws Exception {
    if (event instanceof TlsSession session) {
      selection.add(context.channel(), session.applicationProtocol());
      context.fireUserEvent(event);
      context.pipeline().remove(this);
    } else {
      context.fireUserEvent(event);
    }
  }
}
