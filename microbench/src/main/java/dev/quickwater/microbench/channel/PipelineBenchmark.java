package dev.quickwater.microbench.channel;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What does a message cost that passes ten handlers of which two care about it?
///
/// `Read` sends it from the first place inwards: a handler passes it on, the last one takes it.
/// `ReadWrite` has the last one write it back, by which it passes the handlers in the other
/// direction; the first place takes it before a transport sees it. The other eight override an
/// event that does not happen. Netty writes with its void promise, so that neither side makes a
/// promise.
public class PipelineBenchmark extends PairedBenchmark {

  private static final int BYSTANDERS = 4;

  private final Edge edge = new Edge();
  private final Answerer answerer = new Answerer();
  private final EmbeddedChannel ours = new EmbeddedChannel(edge);
  private final NettyEdge nettyEdge = new NettyEdge();
  private final NettyAnswerer nettyAnswerer = new NettyAnswerer();
  private final io.netty.channel.embedded.EmbeddedChannel theirs =
      new io.netty.channel.embedded.EmbeddedChannel(nettyEdge);
  private final Object message = new Object();

  @Setup
  public void fill() {
    bystanders();
    ours.channel().pipeline().addLast(new Passer());
    theirs.pipeline().addLast(new NettyPasser());
    bystanders();
    ours.channel().pipeline().addLast(answerer);
    theirs.pipeline().addLast(nettyAnswerer);
  }

  private void bystanders() {
    for (int i = 0; i < BYSTANDERS; i++) {
      ours.channel().pipeline().addLast(new Bystander());
      theirs.pipeline().addLast(new NettyBystander());
    }
  }

  @TearDown
  public void close() {
    ours.close();
    theirs.finishAndReleaseAll();
  }

  @Benchmark
  public @Nullable Object quickwaterRead() {
    edge.context().fireChannelRead(message);
    return answerer.taken;
  }

  @Benchmark
  public @Nullable Object nettyRead() {
    nettyEdge.context().fireChannelRead(message);
    return nettyAnswerer.taken;
  }

  @Benchmark
  public @Nullable Object quickwaterReadWrite() {
    edge.context().fireChannelRead(message);
    answerer.answer();
    return edge.taken;
  }

  @Benchmark
  public @Nullable Object nettyReadWrite() {
    nettyEdge.context().fireChannelRead(message);
    nettyAnswerer.answer();
    return nettyEdge.taken;
  }

  private static final class Edge implements ChannelHandler {
    private @Nullable HandlerContext context;
    @Nullable Object taken;

    HandlerContext context() {
      return Objects.requireNonNull(context);
    }

    @Override
    public void handlerAdded(HandlerContext added) {
      context = added;
    }

    @Override
    public void write(HandlerContext at, Object written, @Nullable Promise<Void> promise) {
      taken = written;
    }
  }

  private static final class NettyEdge extends ChannelDuplexHandler {
    private @Nullable ChannelHandlerContext context;
    @Nullable Object taken;

    ChannelHandlerContext context() {
      return Objects.requireNonNull(context);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    @Override
    public void write(ChannelHandlerContext at, Object written, ChannelPromise promise) {
      taken = written;
    }
  }

  private static final class Bystander implements ChannelHandler {
    @Override
    public void userEvent(HandlerContext context, Object event) {
      context.fireUserEvent(event);
    }
  }

  private static final class NettyBystander extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      context.fireUserEventTriggered(event);
    }
  }

  private static final class Passer implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object read) {
      context.fireChannelRead(read);
    }

    @Override
    public void write(HandlerContext context, Object written, @Nullable Promise<Void> promise) {
      context.write(written, promise);
    }
  }

  private static final class NettyPasser extends ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
      context.fireChannelRead(read);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise is the caller's
    public void write(ChannelHandlerContext context, Object written, ChannelPromise promise) {
      context.write(written, promise);
    }
  }

  private static final class Answerer implements ChannelHandler {
    private @Nullable HandlerContext context;
    @Nullable Object taken;

    @Override
    public void handlerAdded(HandlerContext added) {
      context = added;
    }

    @Override
    public void channelRead(HandlerContext at, Object read) {
      taken = read;
    }

    void answer() {
      Objects.requireNonNull(context).write(Objects.requireNonNull(taken));
    }
  }

  private static final class NettyAnswerer extends ChannelInboundHandlerAdapter {
    private @Nullable ChannelHandlerContext context;
    @Nullable Object taken;

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext at, Object read) {
      taken = read;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // void promise
    void answer() {
      ChannelHandlerContext at = Objects.requireNonNull(context);
      at.write(Objects.requireNonNull(taken), at.voidPromise());
    }
  }
}
