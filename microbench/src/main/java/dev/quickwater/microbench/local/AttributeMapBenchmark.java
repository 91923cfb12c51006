package dev.quickwater.microbench.local;

import dev.quickwater.common.AttributeKey;
import dev.quickwater.common.AttributeMap;
import dev.quickwater.microbench.buffer.Draws;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.util.DefaultAttributeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to find a value that is attached to a channel, to replace it, and to find that
/// there is none?
///
/// Keys are looked up in an order drawn beforehand. Besides the numbers of keys of Netty's own
/// suite there is one that a channel really has.
public class AttributeMapBenchmark extends PairedBenchmark {

  private static final int DRAWS = 1 << 12;

  @Param({"2", "8", "32", "128"})
  public int keys;

  private final AttributeMap ours = new AttributeMap();
  private final DefaultAttributeMap netty = new DefaultAttributeMap();
  private AttributeKey<Integer>[] ourKeys = keys(0);
  private AttributeKey<Integer>[] ourMissing = keys(0);
  private io.netty.util.AttributeKey<Integer>[] nettyKeys = nettyKeys(0);
  private io.netty.util.AttributeKey<Integer>[] nettyMissing = nettyKeys(0);
  private int[] draws = {};
  private int draw;

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static AttributeKey<Integer>[] keys(int count) {
    AttributeKey<Integer>[] keys = new AttributeKey[count];
    for (int i = 0; i < count; i++) {
      keys[i] = AttributeKey.named("key " + i);
    }
    return keys;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static io.netty.util.AttributeKey<Integer>[] nettyKeys(int count) {
    io.netty.util.AttributeKey<Integer>[] keys = new io.netty.util.AttributeKey[count];
    for (int i = 0; i < count; i++) {
      keys[i] = io.netty.util.AttributeKey.newInstance("key " + System.nanoTime() + " " + i);
    }
    return keys;
  }

  @Setup
  public void attach() {
    ourKeys = keys(keys);
    ourMissing = keys(keys);
    nettyKeys = nettyKeys(keys);
    nettyMissing = nettyKeys(keys);
    draws = Draws.below(DRAWS, keys);
    for (int i = 0; i < keys; i++) {
      ours.set(ourKeys[i], 1000 + i);
      netty.attr(nettyKeys[i]).set(1000 + i);
    }
  }

  private int next() {
    draw = draw + 1 & DRAWS - 1;
    return draws[draw];
  }

  @Benchmark
  public @Nullable Integer quickwaterGet() {
    return ours.get(ourKeys[next()]);
  }

  @Benchmark
  public @Nullable Integer nettyGet() {
    return netty.attr(nettyKeys[next()]).get();
  }

  @Benchmark
  public boolean quickwaterContains() {
    return ours.contains(ourKeys[next()]);
  }

  @Benchmark
  public boolean nettyContains() {
    return netty.hasAttr(nettyKeys[next()]);
  }

  @Benchmark
  public boolean quickwaterMiss() {
    return ours.contains(ourMissing[next()]);
  }

  @Benchmark
  public boolean nettyMiss() {
    return netty.hasAttr(nettyMissing[next()]);
  }

  @Benchmark
  public @Nullable Integer quickwaterReplace() {
    return ours.set(ourKeys[next()], 77);
  }

  @Benchmark
  public @Nullable Integer nettyReplace() {
    return netty.attr(nettyKeys[next()]).getAndSet(77);
  }
}
