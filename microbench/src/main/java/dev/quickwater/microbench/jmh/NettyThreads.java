package dev.quickwater.microbench.jmh;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The executor of Netty's side: its threads are Netty's `FastThreadLocalThread`, because on others
/// Netty's thread-local caches are off or slow and the comparison would flatter us.
///
/// It is a plain pool, which stops at once; Netty's own executors first wait two seconds for quiet.
/// JMH makes it by its constructor, whose signature is JMH's.
public final class NettyThreads extends ThreadPoolExecutor {

  public NettyThreads(int maxThreads, String prefix) {
    super(
        maxThreads,
        maxThreads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        new DefaultThreadFactory(prefix, true));
  }
}
