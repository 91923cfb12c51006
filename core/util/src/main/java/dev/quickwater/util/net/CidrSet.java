package dev.quickwater.util.net;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A set of addresses: networks that are added, and networks that are excluded. For address
/// filters.
///
/// - **The longest prefix decides**, as in a routing table: with `10.0.0.0/8` added and
///   `10.1.0.0/16` excluded, `10.1.0.0/16` is not in the set, in either order of the calls.
///   Addresses of no network are not in the set.
/// - An IPv4-mapped IPv6 address is looked up as the IPv4 address (see [Cidr]); zones are ignored.
/// - Immutable. A lookup takes O(log n) steps for n networks and allocates nothing.
public final class CidrSet {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

  /// Nothing.
  public static final CidrSet EMPTY = builder().build();

  // An address is in the set if the number of borders at or below it is odd: the set begins or ends
  // at each border. The signs are flipped, which makes the unsigned order signed.
  private final IntBorders ipv4;
  private final long[] ipv6High;
  private final long[] ipv6Low;

  private CidrSet(Borders ipv4, Borders ipv6) {
    int[] places = new int[ipv4.count()];
    for (int i = 0; i < places.length; i++) {
      places[i] = (int) ipv4.low(i) ^ Integer.MIN_VALUE;
    }
    this.ipv4 = new IntBorders(places);
    this.ipv6High = new long[ipv6.count()];
    this.ipv6Low = new long[ipv6.count()];
    for (int i = 0; i < ipv6High.length; i++) {
      ipv6High[i] = ipv6.high(i) ^ Long.MIN_VALUE;
      ipv6Low[i] = ipv6.low(i) ^ Long.MIN_VALUE;
    }
  }

  /// The addresses of all these networks.
  public static CidrSet of(Iterable<Cidr> networks) {
    Builder builder = builder();
    networks.forEach(builder::add);
    return builder.build();
  }

  /// For networks to add and to exclude.
  public static Builder builder() {
    return new Builder();
  }

  /// Whether the address is in the set.
  public boolean contains(IpAddress address) {
    return address.isIpv4()
        ? containsIpv4((int) address.low())
        : containsIpv6(address.high(), address.low());
  }

  /// Whether the address is in the set. The JDK returns its bytes as a new array, the one object
  /// that this method allocates.
  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == Integer.BYTES) {
      return containsIpv4((int) INT.get(bytes, 0));
    }
    return containsIpv6((long) LONG.get(bytes, 0), (long) LONG.get(bytes, Long.BYTES));
  }

  /// Whether an IPv4 address is in the set, given as in [Ipv4].
  public boolean containsIpv4(int address) {
    return (ipv4.countUpTo(address ^ Integer.MIN_VALUE) & 1) != 0;
  }

  /// Whether an IPv6 address is in the set, given as in [Ipv6]. A mapped address counts as its IPv4
  /// address.
  public boolean containsIpv6(long high, long low) {
    if (high == 0 && low >>> 32 == 0xffff) {
      return containsIpv4((int) low);
    }
    long[] highs = ipv6High;
    long highKey = high ^ Long.MIN_VALUE;
    long lowKey = low ^ Long.MIN_VALUE;
    int from = 0;
    for (int left = highs.length; left > 0; ) {
      int half = left + 1 >>> 1;
      int at = from + half - 1;
      boolean passed = highs[at] == highKey ? ipv6Low[at] <= lowKey : highs[at] < highKey;
      from += passed ? half : 0;
      left -= half;
    }
    return (from & 1) != 0;
  }

  /// Collects networks in any order. Not for several threads at once.
  public static final class Builder {

    private final Map<Cidr, Boolean> networks = new TreeMap<>();

    private Builder() {}

    /// Addresses of the network are in the set.
    ///
    /// @throws IllegalArgumentException if the same network is excluded
    public Builder add(Cidr network) {
      return put(network, true);
    }

    /// Addresses of the network are not in the set.
    ///
    /// @throws IllegalArgumentException if the same network was added
    public Builder except(Cidr network) {
      return put(network, false);
    }

    private Builder put(Cidr network, boolean isIn) {
      @Nullable Boolean before = networks.put(network, isIn);
      if (before != null && before != isIn) {
        networks.put(network, before);
        throw new IllegalArgumentException(network + " is both added and excepted");
      }
      return this;
    }

    /// The set. The builder may be used again.
    public CidrSet build() {
      return new CidrSet(borders(true), borders(false));
    }

    /// Goes over the networks in order, a larger one before those within it.
    private Borders borders(boolean isIpv4) {
      Borders borders = new Borders();
      List<Cidr> open = new ArrayList<>();
      networks.forEach((network, isIn) -> {
        if (network.first().isIpv4() == isIpv4) {
          close(borders, open, network);
          borders.add(network.first(), isIn);
          open.add(network);
        }
      });
      close(borders, open, null);
      return borders;
    }

    /// Ends the networks that `next` is not in, innermost first; all when there is none.
    private void close(Borders borders, List<Cidr> open, @Nullable Cidr next) {
      while (!open.isEmpty() && (next == null || !open.getLast().contains(next))) {
        IpAddress last = open.removeLast().last();
        boolean isIn = !open.isEmpty() && Boolean.TRUE.equals(networks.get(open.getLast()));
        borders.addBehind(last, isIn);
      }
    }
  }

  /// The borders at which the set begins and ends, alternately and in order; the first begins it.
  private static final class Borders {

    private final List<IpAddress> places = new ArrayList<>();

    int count() {
      return places.size();
    }

    long high(int index) {
      return places.get(index).high();
    }

    long low(int index) {
      return places.get(index).low();
    }

    /// Sets whether addresses from `place` on are in the set. This replaces an earlier border at
    /// the same place.
    void add(IpAddress place, boolean isIn) {
      if (!places.isEmpty() && places.getLast().equals(place)) {
        places.removeLast();
      }
      boolean isInBefore = (places.size() & 1) != 0;
      if (isInBefore != isIn) {
        places.add(place);
      }
    }

    /// [#add] for the address behind `last`, unless `last` is the family's last address.
    void addBehind(IpAddress last, boolean isIn) {
      if (last.isIpv4()) {
        if ((int) last.low() != -1) {
          add(IpAddress.ofIpv4((int) last.low() + 1), isIn);
        }
        return;
      }
      long low = last.low() + 1;
      long high = low == 0 ? last.high() + 1 : last.high();
      if ((high | low) != 0) {
        add(IpAddress.ofIpv6(high, low), isIn);
      }
    }
  }
}
