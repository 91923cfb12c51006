package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Promise;
import dev.quickwater.util.setting.SettingCheck;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes a line of text for each frame of a connection, in both directions. The trace must precede
/// the [Http2ServerHandler] or [Http2ClientHandler] in the pipeline from the first byte on.
///
/// ```
/// 0.000000 1 - 0 OPEN local="/127.0.0.1:8080" remote="/127.0.0.1:52104"
/// 0.000310 1 < 0 PREFACE
/// 0.000395 1 < 0 SETTINGS length=6 flags=- MAX_CONCURRENT_STREAMS=100
/// 0.000641 1 < 1 HEADERS length=30 flags=END_STREAM+END_HEADERS field=":method: GET" secret="cookie"
/// 0.000918 1 > 1 DATA length=7 flags=END_STREAM data="hello!\n"
/// ```
///
/// The grammar, in printable ASCII without a line end:
///
/// ```
/// line       = time SP connection SP direction SP stream SP kind *( SP key "=" value )
/// time       = seconds from OPEN to the turn of the loop, with six decimals
/// connection = number of the trace in the process
/// direction  = "<" received / ">" sent / "-" neither
/// kind       = the name of a frame type / "TYPE_0x" hexadecimal number
///            / "OPEN" / "PREFACE" / "ERROR" / "CLOSE"
/// key        = 1*( letter / digit / "_" )
/// value      = 1*( any but SP and DQUOTE ) / DQUOTE *( any but DQUOTE and "\" / escape ) DQUOTE
/// escape     = "\" ( DQUOTE / "\" / "n" / "r" / "t" / "x" two hexadecimal digits )
/// ```
///
/// Each frame has `length` (bytes of the payload) and `flags`. Further keys depend on the type:
///
/// | type | keys |
/// |---|---|
/// | DATA | `data`: the first bytes; `padding`: bytes, if the frame is padded |
/// | the last frame of a header block | `field`: name, colon, space, value; `secret`: a name whose value is left out |
/// | PUSH_PROMISE | `promised` |
/// | SETTINGS | the name of each setting, or `SETTING_0x` and its number |
/// | RST_STREAM | `code`: a name of [ErrorCode], or `0x` and its number |
/// | GOAWAY | `last`, `code`, `debug` |
/// | PING | `data`, hexadecimal |
/// | WINDOW_UPDATE | `increment` |
/// | PRIORITY_UPDATE | `target`, `priority` |
///
/// `cut` is the number of bytes that are missing from the preceding value, `more` the number of
/// fields or settings that are missing from the line. ERROR has `code` and `message`.
///
/// - **Traffic** passes unchanged and at once. The trace copies only incomplete frame headers and
///   incomplete frames other than DATA; its work is linear. A line is written after the last byte
///   of its frame.
/// - **Secrets:** the trace leaves out values of never-indexed fields and of Authorization,
///   Proxy-Authorization, Cookie and Set-Cookie. Targets and content may contain other secrets.
/// - **Bounds:** a line has at most about 16 KiB. Frames other than DATA are traced up to 64 KiB,
///   header blocks up to 128 KiB and 64 CONTINUATION frames, compression tables up to 64 KiB.
///   Anything larger is an ERROR line.
/// - **Malformed bytes** cause an ERROR line. After an error of the connection the trace of that
///   direction ends.
/// - **The consumer** is called on the loop and must not block. If it throws, the trace ends, and
///   the exception is logged.
/// - One trace serves one channel.
public final class FrameTrace implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(FrameTrace.class.getName());

  /// The default number of bytes of a DATA frame's content in its line.
  public static final int DEFAULT_DATA = 64;

  private static final int MAX_DATA = 4096;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private static final int MICROS = 1_000_000;

  private final Consumer<? super String> lines;
  private final TraceDirection in;
  private final TraceDirection out;
  private @Nullable Channel channel;
  private final long number = NUMBERS.incrementAndGet();
  private long start;
  private boolean open;
  private boolean ended;

  /// A trace with [#DEFAULT_DATA] bytes of each DATA frame.
  public FrameTrace(Consumer<? super String> lines) {
    this(lines, DEFAULT_DATA);
  }

  /// A trace of one channel.
  ///
  /// @param lines receives the lines, without line ends
  /// @param maxData bytes of the content of a DATA frame in its line, 0 to 4,096
  public FrameTrace(Consumer<? super String> lines, int maxData) {
    SettingCheck.require(maxData >= 0 && maxData <= MAX_DATA, "maxData", maxData, "0 to 4096");
    this.lines = lines;
    in = new TraceDirection(new TraceLine('<', maxData), this::line);
    out = new TraceDirection(new TraceLine('>', maxData), this::line);
  }

  @Override
  public void handlerAdded(HandlerContext context) {
    channel = context.channel();
    start = context.channel().loop().now();
    if (context.channel().isActive()) {
      open(context.channel());
    }
  }

  @Override
  public void channelActive(HandlerContext context) {
    open(context.channel());
    context.fireChannelActive();
  }

  private void open(Channel of) {
    if (open) {
      return;
    }
    open = true;
    StringBuilder text = new StringBuilder("- 0 OPEN local=");
    TraceText.quote(text, String.valueOf(of.localAddress()));
    TraceText.quote(text.append(" remote="), String.valueOf(of.remoteAddress()));
    line(text);
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    observe(in, message, context);
    context.fireChannelRead(message);
  }

  @Override
  public void write(HandlerContext context, Object message, @Nullable Promise<Void> promise) {
    observe(out, message, context);
    context.write(message, promise);
  }

  private void observe(TraceDirection direction, Object message, HandlerContext context) {
    if (ended) {
      return;
    }
    try {
      if (message instanceof ByteBuf bytes) {
        direction.observe(bytes, context.allocator());
      } else {
        direction.fail("a message is not a buffer: " + message.getClass().getName());
      }
    } catch (RuntimeException e) {
      end(e);
    }
  }

  @Override
  public void handlerRemoved(HandlerContext context) {
    line("- 0 CLOSE");
    ended = true;
    in.release();
    out.release();
  }

  private void line(CharSequence rest) {
    @Nullable Channel of = channel;
    if (ended || of == null) {
      return;
    }
    long micros = (of.loop().now() - start) / 1_000;
    String text =
        String.format(Locale.ROOT, "%d.%06d %d %s", micros / MICROS, micros % MICROS, number, rest);
    try {
      lines.accept(text);
    } catch (RuntimeException e) {
      end(e);
    }
  }

  private void end(RuntimeException cause) {
    ended = true;
    in.release();
    out.release();
    LOG.log(System.Logger.Level.WARNING, "a trace of frames ends", cause);
  }
}
