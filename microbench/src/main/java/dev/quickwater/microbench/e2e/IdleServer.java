package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/// A server whose idle connections are measured, and how a client connects to it.
interface IdleServer {

  /// As a user types it.
  String label();

  boolean ours();

  boolean netty();

  /// Starts it with flags of the JVM.
  ServerProcess start(List<String> flags) throws IOException;

  /// An open connection on which one request has been answered.
  Socket connect(InetSocketAddress address) throws IOException;

  /// A server in clear text.
  record Plain(Variant variant) implements IdleServer {

    @Override
    public String label() {
      return variant.label();
    }

    @Override
    public boolean ours() {
      return variant.ours();
    }

    @Override
    public boolean netty() {
      return variant.netty();
    }

    @Override
    public ServerProcess start(List<String> flags) throws IOException {
      return ServerProcess.start(
          variant.command(Layout.find(), java.nio.file.Path.of("none"), flags));
    }

    @Override
    public Socket connect(InetSocketAddress address) throws IOException {
      return PlainCheck.served(address);
    }
  }
}
