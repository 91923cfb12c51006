package dev.quickwater.http2;

/// Streams that always have bytes to send, behind one of our distributors.
public final class OurDistribution {

  private static final int PENDING = 1 << 20;

  private final Distributor distributor;
  private long sent;

  private static final class Endless extends StreamFlow {
    Endless(int id) {
      super(id);
    }

    @Override
    int send(int allowed) {
      return allowed;
    }
  }

  /// A distributor with its streams.
  ///
  /// @param weighted by weights that repeat from 1 to 256; otherwise uniform
  public OurDistribution(int streams, boolean weighted) {
    distributor = weighted ? new WeightedDistributor() : new UniformDistributor();
    for (int i = 0; i < streams; i++) {
      Endless stream = new Endless(2 * i + 1);
      if (weighted) {
        distributor.weight(stream, weight(i));
      }
      distributor.offer(stream, PENDING, false);
    }
  }

  /// The weight of a stream, for both sides of the pair.
  public static int weight(int index) {
    return 1 + index * 37 % 256;
  }

  /// Divides `bytes` among the streams.
  public long distribute(int bytes) {
    distributor.distribute(
        bytes,
        (stream, allowed) -> {
          sent += allowed;
          distributor.offer(stream, PENDING, false);
          return allowed;
        });
    return sent;
  }
}
