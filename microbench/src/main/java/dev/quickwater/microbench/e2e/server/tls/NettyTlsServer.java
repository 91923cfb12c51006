package dev.quickwater.microbench.e2e.server.tls;

import dev.quickwater.microbench.e2e.server.NettyPlaintextHandler;
import dev.quickwater.microbench.e2e.server.NettyTransport;
import dev.quickwater.microbench.e2e.server.Plaintext;
import dev.quickwater.microbench.e2e.server.http2.NettyHttp2Pipeline;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.internal.PlatformDependent;
import java.io.File;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/// Netty's server with TLS: one event loop on epoll, HTTP/1.1 and HTTP/2 by ALPN. HTTP/2 uses
/// Netty's low-level connection handler, its fastest.
final class NettyTlsServer {

  private static final int BACKLOG = 1024;

  private NettyTlsServer() {}

  /// Arguments: certificate file, key file, provider (`openssl` for BoringSSL through tcnative,
  /// `jdk`), cipher suite, path that HTTP/1.1 answers.
  public static void main(String[] args) throws SSLException, InterruptedException {
    boolean openSsl = args[2].equals("openssl");
    if (openSsl) {
      OpenSsl.ensureAvailability();
    }
    SslContext tls = context(args, openSsl ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK);
    NettyTransport transport = NettyTransport.EPOLL;
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
    NettyPlaintextHandler handler =
        args[4].equals(Megabyte.PATH)
            ? new NettyPlaintextHandler(Megabyte.PATH, Megabyte.bytes())
            : new NettyPlaintextHandler();
    NettyHttp2Pipeline http2 = new NettyHttp2Pipeline();
    var _ = group.scheduleAtFixedRate(handler::refreshDate, 1, 1, TimeUnit.SECONDS);
    var _ = group.scheduleAtFixedRate(http2::refreshDate, 1, 1, TimeUnit.SECONDS);
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(transport.channel)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(tls.newHandler(channel.alloc()), new Versions(handler, http2));
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    System.out.println(
        "listening on https://127.0.0.1:"
            + ((InetSocketAddress) server.localAddress()).getPort()
            + " netty "
            + (openSsl ? OpenSsl.versionString() : "JDK")
            + " hasUnsafe="
            + PlatformDependent.hasUnsafe()
            + " "
            + Plaintext.SERVER);
    server.closeFuture().sync();
  }

  private static SslContext context(String[] args, SslProvider provider) throws SSLException {
    return SslContextBuilder.forServer(new File(args[0]), new File(args[1]))
        .sslProvider(provider)
        .protocols("TLSv1.3")
        .ciphers(List.of(args[3]))
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                ApplicationProtocolNames.HTTP_2,
                ApplicationProtocolNames.HTTP_1_1))
        .build();
  }

  private static final class Versions extends ApplicationProtocolNegotiationHandler {

    private final NettyPlaintextHandler handler;
    private final NettyHttp2Pipeline http2;

    Versions(NettyPlaintextHandler handler, NettyHttp2Pipeline http2) {
      super(ApplicationProtocolNames.HTTP_1_1);
      this.handler = handler;
      this.http2 = http2;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        http2.addTo(context.pipeline());
      } else {
        HttpDecoderConfig config = new HttpDecoderConfig().setValidateHeaders(false);
        context
            .pipeline()
            .addLast(new HttpRequestDecoder(config), new HttpResponseEncoder(), handler);
      }
    }
  }
}
