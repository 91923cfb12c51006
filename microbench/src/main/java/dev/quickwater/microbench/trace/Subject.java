package dev.quickwater.microbench.trace;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.LoopAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// An allocator that traces are replayed on. One process replays one trace on one subject, so that
/// none begins with memory that an earlier one left.
enum Subject {
  QUICKWATER,
  NETTY,
  POOLED;

  /// One thread of a replay.
  interface Lane extends AutoCloseable {

    /// Where its events run, one after another.
    ExecutorService executor();

    /// Memory whose first byte is written; runs on the lane.
    Runnable allocate(int size);

    @Override
    void close();
  }

  /// What a replay needs: a supplier of lanes, and the bytes reserved now.
  record Start(Supplier<Lane> lanes, LongSupplier reserved) {}

  String label() {
    return switch (this) {
      case QUICKWATER -> "quickwater";
      case NETTY -> "netty";
      case POOLED -> "netty-pooled";
    };
  }

  Start start() {
    return switch (this) {
      case QUICKWATER -> new Start(OurLane::new, AllocatorMetrics::reservedInProcess);
      case NETTY -> of(new AdaptiveByteBufAllocator(true));
      case POOLED -> of(new PooledByteBufAllocator(true));
    };
  }

  private static <A extends ByteBufAllocator & ByteBufAllocatorMetricProvider> Start of(
      A allocator) {
    return new Start(() -> new NettyLane(allocator), () -> allocator.metric().usedDirectMemory());
  }

  /// A platform thread with an allocator attached, as an event loop's.
  private record OurLane(ExecutorService executor, LoopAllocator allocator) implements Lane {

    OurLane() {
      this(Executors.newSingleThreadExecutor(), new LoopAllocator());
      executor.execute(allocator::attach);
    }

    @Override
    public Runnable allocate(int size) {
      var buffer = allocator.allocate(size);
      if (size > 0) {
        buffer.setByte(0, 1);
      }
      return buffer::release;
    }

    @Override
    public void close() {
      executor.execute(allocator::detach);
      executor.close();
    }
  }

  /// A thread of Netty's own kind that belongs to an executor of Netty's, so that its allocators
  /// give it the caches of an event loop.
  private record NettyLane(ExecutorService executor, ByteBufAllocator allocator) implements Lane {

    NettyLane(ByteBufAllocator allocator) {
      this(new DefaultEventExecutor(), allocator);
    }

    @Override
    public Runnable allocate(int size) {
      var buffer = allocator.directBuffer(size);
      if (size > 0) {
        buffer.setByte(0, 1);
      }
      return buffer::release;
    }

    @Override
    public void close() {
      var _ = ((DefaultEventExecutor) executor).shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }
}
