package dev.quickwater.microbench.map;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.map.IntMap;
import dev.quickwater.util.map.LongMap;
import io.netty.util.collection.CharObjectHashMap;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.ShortObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to find a key that is no `int`?
///
/// For `char` and `short` Netty has separate maps, ours widens the keys. Keys are random.
public class OtherKeysBenchmark extends PairedBenchmark {

  @Param({"10", "1000"})
  public int size;

  private final IntMap<Object> ourChars = new IntMap<>();
  private final CharObjectHashMap<Object> nettyChars = new CharObjectHashMap<>();
  private final IntMap<Object> ourShorts = new IntMap<>();
  private final ShortObjectHashMap<Object> nettyShorts = new ShortObjectHashMap<>();
  private final LongMap<Object> ourLongs = new LongMap<>();
  private final LongObjectHashMap<Object> nettyLongs = new LongObjectHashMap<>();
  private final Long2ObjectHashMap<Object> agronaLongs = new Long2ObjectHashMap<>();
  private char[] chars = {};
  private short[] shorts = {};
  private long[] longs = {};
  private int next;

  @Setup
  public void fill() {
    int[] keys = Keys.RANDOM.shuffled(1, size);
    chars = new char[size];
    shorts = new short[size];
    longs = new long[size];
    for (int i = 0; i < size; i++) {
      chars[i] = (char) keys[i];
      shorts[i] = (short) keys[i];
      longs[i] = (long) keys[i] << 20 ^ keys[i];
      ourChars.put(chars[i], this);
      nettyChars.put(chars[i], this);
      ourShorts.put(shorts[i], this);
      nettyShorts.put(shorts[i], this);
      ourLongs.put(longs[i], this);
      nettyLongs.put(longs[i], this);
      agronaLongs.put(longs[i], this);
    }
  }

  private int next() {
    int i = next + 1;
    next = i < size ? i : 0;
    return next;
  }

  @Benchmark
  public @Nullable Object quickwaterChar() {
    return ourChars.get(chars[next()]);
  }

  @Benchmark
  public @Nullable Object nettyChar() {
    return nettyChars.get(chars[next()]);
  }

  @Benchmark
  public @Nullable Object quickwaterShort() {
    return ourShorts.get(shorts[next()]);
  }

  @Benchmark
  public @Nullable Object nettyShort() {
    return nettyShorts.get(shorts[next()]);
  }

  @Benchmark
  public @Nullable Object quickwaterLong() {
    return ourLongs.get(longs[next()]);
  }

  @Benchmark
  public @Nullable Object nettyLong() {
    return nettyLongs.get(longs[next()]);
  }

  @Benchmark
  public @Nullable Object agronaLong() {
    return agronaLongs.get(longs[next()]);
  }
}
