package dev.quickwater.web;

import dev.quickwater.http.Authority;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;

/// A proxy did not open a tunnel.
public final class TunnelRefusedException extends IOException {

  private static final long serialVersionUID = 1;

  private final transient ResponseHead response;

  TunnelRefusedException(Authority proxy, Authority target, ResponseHead response) {
    super("the proxy " + proxy + " refused a tunnel to " + target + ": " + response.status());
    this.response = response;
  }

  /// The answer of the proxy; a 407 names in Proxy-Authenticate which credentials it requires.
  public ResponseHead response() {
    return response;
  }
}
