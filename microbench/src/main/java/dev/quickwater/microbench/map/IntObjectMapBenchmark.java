package dev.quickwater.microbench.map;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.map.IntMap;
import io.netty.util.collection.IntObjectHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/// What does it cost to find a key, to miss one, to replace a value, to let one key go and another
/// one come, to fill a map, and to go over it?
///
/// Each invocation works on one key, in an order drawn beforehand, except `Fill` and `Iterate`,
/// which work on all. The sizes are among those of Netty's own suite.
public class IntObjectMapBenchmark extends PairedBenchmark {

  @Param({"10", "1000", "100000"})
  public int size;

  @Param public Keys keys = Keys.SEQUENTIAL;

  private IntMap<Object> ours = new IntMap<>();
  private IntObjectHashMap<Object> netty = new IntObjectHashMap<>();
  private Int2ObjectHashMap<Object> agrona = new Int2ObjectHashMap<>();
  private int[] present = {};
  private int[] absent = {};
  private int next;

  @Setup
  public void fill() {
    present = keys.shuffled(1, size);
    absent = keys.shuffled(1 + size, size);
    ours = fillOurs();
    netty = fillNetty();
    agrona = fillAgrona();
  }

  private IntMap<Object> fillOurs() {
    IntMap<Object> map = new IntMap<>();
    for (int key : present) {
      map.put(key, this);
    }
    return map;
  }

  private IntObjectHashMap<Object> fillNetty() {
    IntObjectHashMap<Object> map = new IntObjectHashMap<>();
    for (int key : present) {
      map.put(key, this);
    }
    return map;
  }

  private Int2ObjectHashMap<Object> fillAgrona() {
    Int2ObjectHashMap<Object> map = new Int2ObjectHashMap<>();
    for (int key : present) {
      map.put(key, this);
    }
    return map;
  }

  private int next() {
    int i = next + 1;
    next = i < size ? i : 0;
    return next;
  }

  @Benchmark
  public @Nullable Object quickwaterHit() {
    return ours.get(present[next()]);
  }

  @Benchmark
  public @Nullable Object nettyHit() {
    return netty.get(present[next()]);
  }

  @Benchmark
  public @Nullable Object agronaHit() {
    return agrona.get(present[next()]);
  }

  @Benchmark
  public @Nullable Object quickwaterMiss() {
    return ours.get(absent[next()]);
  }

  @Benchmark
  public @Nullable Object nettyMiss() {
    return netty.get(absent[next()]);
  }

  @Benchmark
  public @Nullable Object agronaMiss() {
    return agrona.get(absent[next()]);
  }

  @Benchmark
  public @Nullable Object quickwaterReplace() {
    return ours.put(present[next()], this);
  }

  @Benchmark
  public @Nullable Object nettyReplace() {
    return netty.put(present[next()], this);
  }

  @Benchmark
  public @Nullable Object agronaReplace() {
    return agrona.put(present[next()], this);
  }

  /// A key goes and another one comes, which goes in turn on the next round.
  private int exchange() {
    int i = next();
    int came = absent[i];
    absent[i] = present[i];
    present[i] = came;
    return i;
  }

  @Benchmark
  public @Nullable Object quickwaterExchange() {
    int i = exchange();
    ours.put(present[i], this);
    return ours.remove(absent[i]);
  }

  @Benchmark
  public @Nullable Object nettyExchange() {
    int i = exchange();
    netty.put(present[i], this);
    return netty.remove(absent[i]);
  }

  @Benchmark
  public @Nullable Object agronaExchange() {
    int i = exchange();
    agrona.put(present[i], this);
    return agrona.remove(absent[i]);
  }

  @Benchmark
  public Object quickwaterFill() {
    return fillOurs();
  }

  @Benchmark
  public Object nettyFill() {
    return fillNetty();
  }

  @Benchmark
  public Object agronaFill() {
    return fillAgrona();
  }

  @Benchmark
  public void quickwaterIterate(Blackhole hole) {
    for (Object value : ours.values()) {
      hole.consume(value);
    }
  }

  @Benchmark
  public void nettyIterate(Blackhole hole) {
    for (Object value : netty.values()) {
      hole.consume(value);
    }
  }

  @Benchmark
  public void agronaIterate(Blackhole hole) {
    for (Object value : agrona.values()) {
      hole.consume(value);
    }
  }

  @Benchmark
  public void quickwaterIterateEntries(Blackhole hole) {
    ours.forEach((key, value) -> {
      hole.consume(key);
      hole.consume(value);
    });
  }

  @Benchmark
  public void nettyIterateEntries(Blackhole hole) {
    for (var entry : netty.entries()) {
      hole.consume(entry.key());
      hole.consume(entry.value());
    }
  }

  @Benchmark
  public void agronaIterateEntries(Blackhole hole) {
    agrona.forEachInt((key, value) -> {
      hole.consume(key);
      hole.consume(value);
    });
  }
}
