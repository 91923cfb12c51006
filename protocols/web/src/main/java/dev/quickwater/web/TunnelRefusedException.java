package dev.quickwater.web;

import dev.quickwater.http.Authority;
import dev.quickwater.http.ResponseHead;
import java.io.IOException;

/// A proxy refused to open a tunnel.
public final class TunnelRefusedException extends IOException {

  private static final long serialVersionUID = 1;

  private final transient ResponseHead response;

  TunnelRefusedException(Authority proxy, Authority target, ResponseHead response) {
    super("the proxy " + proxy + " refused a tunnel to " + target + ": " + response.status());
    this.response = response;
  }

  /// The response of the proxy. Proxy-Authenticate of a 407 names the required credentials.
  public ResponseHead response() {
    return response;
  }
}
