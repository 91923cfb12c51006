package dev.quickwater.microbench.http2;

import dev.quickwater.http2.OurDistribution;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.StreamByteDistributor;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.handler.codec.http2.WeightedFairQueueByteDistributor;

/// Streams that always have bytes to send, behind one of Netty's distributors.
final class NettyDistribution {

  private static final int PENDING = 1 << 20;

  private final StreamByteDistributor distributor;
  private final Endless[] states;
  private long sent;

  private record Endless(Http2Stream stream) implements StreamByteDistributor.StreamState {
    @Override
    public long pendingBytes() {
      return PENDING;
    }

    @Override
    public boolean hasFrame() {
      return true;
    }

    @Override
    public int windowSize() {
      return PENDING;
    }
  }

  NettyDistribution(int streams, boolean weighted) throws Http2Exception {
    DefaultHttp2Connection connection = new DefaultHttp2Connection(false);
    distributor =
        weighted
            ? new WeightedFairQueueByteDistributor(connection)
            : new UniformStreamByteDistributor(connection);
    states = new Endless[2 * streams + 2];
    for (int i = 0; i < streams; i++) {
      int id = 2 * i + 3; // 1 is the stream of an upgrade
      states[id] = new Endless(connection.local().createStream(id, false));
      if (weighted) {
        distributor.updateDependencyTree(id, 0, (short) OurDistribution.weight(i), false);
      }
      distributor.updateStreamableBytes(states[id]);
    }
  }

  long distribute(int bytes) throws Http2Exception {
    distributor.distribute(
        bytes,
        (stream, allowed) -> {
          sent += allowed;
          distributor.updateStreamableBytes(states[stream.id()]);
        });
    return sent;
  }
}
