package dev.quickwater.microbench.jmh;

import dev.quickwater.common.LoopThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The executor of our side: its threads are those that our loops and executors run on, as
/// [NettyThreads] are those of Netty's. JMH makes it by its constructor, whose signature is JMH's.
public final class LoopThreads extends ThreadPoolExecutor {

  public LoopThreads(int maxThreads, String prefix) {
    super(
        maxThreads, maxThreads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(prefix));
  }

  private static ThreadFactory daemons(String prefix) {
    return body -> {
      LoopThread thread = new LoopThread(prefix, body);
      thread.setDaemon(true);
      return thread;
    };
  }
}
