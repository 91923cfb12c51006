package dev.quickwater.proxy;

import java.util.List;

/// TLS between a client and the proxy, as the proxy announces it ([ProxyTlv#SSL]).
///
/// @param client the flags: 1 if the client used TLS, 2 if it presented a certificate in this
///   connection, 4 if it did in this session
/// @param verify 0 if the proxy has verified a certificate of the client
/// @param fields the nested fields, for example [#VERSION]. Fields nested in these are not read
public record ProxyTls(int client, int verify, List<ProxyTlv> fields) {

  /// The version of TLS, for example `TLSv1.3`.
  public static final int VERSION = 0x21;

  /// The common name of the client's certificate.
  public static final int COMMON_NAME = 0x22;

  /// The cipher suite.
  public static final int CIPHER = 0x23;

  private static final int USED = 1;

  /// Copies the list.
  public ProxyTls {
    fields = List.copyOf(fields);
  }

  /// True if the client used TLS.
  public boolean isUsed() {
    return (client & USED) != 0;
  }
}
