package dev.quickwater.http2;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.WaitingCalls;
import java.util.function.Supplier;

/// Opens the exchanges of waiting calls on a client's engine. Extended CONNECT waits for the
/// settings of the server, because only they permit it (RFC 8441 section 3).
final class ExchangeOpener implements WaitingCalls.Opener {

  private final Supplier<Http2ClientEngine> engine;

  ExchangeOpener(Supplier<Http2ClientEngine> engine) {
    this.engine = engine;
  }

  @Override
  public boolean isClosed() {
    return engine.get().isClosed();
  }

  @Override
  public boolean canOpen(RequestHead head) {
    return engine.get().canOpen() && (head.protocol() == null || engine.get().hasPeerSettings());
  }

  @Override
  public ClientExchange open(RequestHead head) {
    Http2ClientEngine target = engine.get();
    if (head.protocol() != null && !target.peer.connectProtocol()) {
      throw new UnsupportedOperationException(
          target.io.peer() + " does not support extended CONNECT (RFC 8441)");
    }
    return target.open(head);
  }

  @Override
  public String peer() {
    return engine.get().io.peer();
  }
}
