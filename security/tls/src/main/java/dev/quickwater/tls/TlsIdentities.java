package dev.quickwater.tls;

import dev.quickwater.tls.library.HostName;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The identities that a side presents; immutable.
///
/// - **Server:** the name that the client requests (SNI, RFC 6066 section 3) selects the identity:
///   first the exact name, then `*.` and the rest of the name, then the default. Without a default,
///   a client that requests another name or none gets the alert unrecognized_name.
/// - **Client:** the default is presented if the server requests a certificate.
///
/// @param defaultIdentity the identity if no name matches, or null
/// @param byName identities by host name; `*.example.com` matches one label. Names are kept in
///   lower case, international names as A-labels (RFC 5890)
public record TlsIdentities(
    @Nullable TlsIdentity defaultIdentity, Map<String, TlsIdentity> byName) {

  private static final String WILDCARD = "*.";

  /// No identity: a client that presents no certificate.
  public static final TlsIdentities NONE = new TlsIdentities(null, Map.of());

  /// Copies the map.
  ///
  /// @throws IllegalArgumentException if a name is not a host name
  public TlsIdentities {
    Map<String, TlsIdentity> copy = new HashMap<>();
    byName.forEach((name, identity) -> copy.put(checked(name), identity));
    byName = Map.copyOf(copy);
  }

  private static String checked(String name) {
    boolean wildcard = name.startsWith(WILDCARD);
    String host = wildcard ? name.substring(WILDCARD.length()) : name;
    try {
      String normal = HostName.of(host);
      if (!HostName.isAddress(normal)) {
        return wildcard ? WILDCARD + normal : normal;
      }
    } catch (IllegalArgumentException _) {
      // reported below
    }
    throw new IllegalArgumentException(
        "byName has '" + name + "', expected a host name, or *. and a host name");
  }

  /// One identity for all names.
  public static TlsIdentities of(TlsIdentity identity) {
    return new TlsIdentities(identity, Map.of());
  }

  /// These identities with one more.
  ///
  /// @param name a host name, or `*.` and a host name
  public TlsIdentities with(String name, TlsIdentity identity) {
    Map<String, TlsIdentity> more = new HashMap<>(byName);
    more.put(checked(name), identity);
    return new TlsIdentities(defaultIdentity, more);
  }

  /// The identity for a requested name.
  ///
  /// @param serverName the name (SNI) in lower case, or null if the client requested none
  /// @return null if the client must be refused with the alert unrecognized_name
  public @Nullable TlsIdentity select(@Nullable String serverName) {
    @Nullable TlsIdentity found = null;
    if (serverName != null && !byName.isEmpty()) {
      found = byName.get(serverName);
      int dot = serverName.indexOf('.');
      if (found == null && dot > 0) {
        found = byName.get("*" + serverName.substring(dot));
      }
    }
    return found == null ? defaultIdentity : found;
  }

  /// All identities, each once.
  public Set<TlsIdentity> all() {
    Set<TlsIdentity> all = new LinkedHashSet<>(byName.values());
    if (defaultIdentity != null) {
      all.add(defaultIdentity);
    }
    return all;
  }
}
