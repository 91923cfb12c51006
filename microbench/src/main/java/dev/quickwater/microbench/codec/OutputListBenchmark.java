package dev.quickwater.microbench.codec;

import dev.quickwater.codec.OutputList;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.handler.codec.NettyOutputLists;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/// What does a decoder pay for the list of its messages, in one call?
///
/// The list is lent, so many messages are added, read without a check, and the list goes back. In
/// Netty's suite of that name no list is recycled, and from the seventeenth on each is created; a
/// decoder recycles the list and is faster.
public class OutputListBenchmark extends PairedBenchmark {

  @Param({"1", "4"})
  public int elements;

  @Benchmark
  public void quickwaterCall(Blackhole hole) {
    OutputList list = OutputList.take();
    for (int i = 0; i < elements; i++) {
      list.add(this);
    }
    int size = list.size();
    for (int i = 0; i < size; i++) {
      hole.consume(list.getUnchecked(i));
    }
    list.recycle();
  }

  @Benchmark
  public void nettyCall(Blackhole hole) {
    NettyOutputLists.call(this, elements, hole);
  }
}
