package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The handler at the end of a tunnel: keeps its events as text.
final class TunnelNotes implements ChannelHandler {

  final List<String> events = new ArrayList<>();
  private @Nullable Channel channel;
  @Nullable Pause pause;

  /// Answers every request with a tunnel to this handler.
  HttpHandler server() {
    return x -> x.tunnel(HttpHeaders.EMPTY, made -> made.pipeline().addLast(this));
  }

  Channel channel() {
    return Objects.requireNonNull(channel);
  }

  /// The events since the last call.
  List<String> take() {
    List<String> all = List.copyOf(events);
    events.clear();
    return all;
  }

  void pause() {
    pause = channel().pauseReading("test");
  }

  void resume() {
    Objects.requireNonNull(pause).close();
  }

  void write(String text) {
    channel().writeAndFlush(ByteBuf.wrap(Blocks.bytes(text)));
  }

  @Override
  public void handlerAdded(HandlerContext context) {
    channel = context.channel();
  }

  @Override
  public void channelActive(HandlerContext context) {
    events.add("active");
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    int length = bytes.readableBytes();
    String text = Blocks.latin(bytes.readBytes(length));
    bytes.release();
    events.add(length > 40 ? "read " + length : text);
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    events.add("turn");
  }

  @Override
  public void userEvent(HandlerContext context, Object event) {
    events.add("event " + event.getClass().getSimpleName());
  }

  @Override
  public void channelInputClosed(HandlerContext context) {
    events.add("input closed");
  }

  @Override
  public void channelWritabilityChanged(HandlerContext context) {
    events.add(context.channel().isWritable() ? "writable" : "unwritable");
  }

  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    events.add(cause.getClass().getSimpleName() + ": " + cause.getMessage());
  }

  @Override
  public void channelInactive(HandlerContext context) {
    events.add("inactive");
  }
}
