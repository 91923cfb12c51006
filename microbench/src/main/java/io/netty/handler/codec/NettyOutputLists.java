package io.netty.handler.codec;

import org.openjdk.jmh.infra.Blackhole;

/// The side of a comparison with Netty's output list, which only its own package can reach.
public final class NettyOutputLists {

  private NettyOutputLists() {}

  /// Lends a list, adds so many messages, reads them and gives the list back.
  public static void call(Object message, int elements, Blackhole hole) {
    CodecOutputList list = CodecOutputList.newInstance();
    for (int i = 0; i < elements; i++) {
      list.add(message);
    }
    int size = list.size();
    for (int i = 0; i < size; i++) {
      hole.consume(list.getUnsafe(i));
    }
    list.recycle();
  }
}
