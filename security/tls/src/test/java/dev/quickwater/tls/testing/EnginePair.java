package dev.quickwater.tls.testing;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsEngine;
import dev.quickwater.tls.TlsException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client and a server that are connected in memory.
///
/// Each side keeps the failure of its engine in place of throwing it.
public final class EnginePair implements AutoCloseable {

  /// One side.
  public static final class Peer implements AutoCloseable {
    private final TlsEngine engine;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private @Nullable TlsException failure;

    public Peer(TlsEngine engine) {
      this.engine = engine;
    }

    public TlsEngine engine() {
      return engine;
    }

    /// Why the engine failed, or null.
    public @Nullable TlsException failure() {
      return failure;
    }

    /// The plaintext so far.
    public byte[] received() {
      return received.toByteArray();
    }

    /// Begins the handshake and returns what must be sent.
    public byte[] start() {
      try {
        engine.start();
      } catch (TlsException e) {
        failure = e;
      }
      return output();
    }

    /// Processes ciphertext and returns what must be sent.
    public byte[] receive(byte[] bytes) {
      engine.receive(ByteBufAllocator.shared().allocate(bytes.length).writeBytes(bytes));
      byte[] output = read();
      for (@Nullable Runnable task; (task = engine.takeTask()) != null; ) {
        perform(task);
        output = join(output, read());
      }
      return output;
    }

    private static void perform(Runnable task) {
      try {
        Thread.ofVirtual().start(task).join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static byte[] join(byte[] first, byte[] second) {
      byte[] all = Arrays.copyOf(first, first.length + second.length);
      System.arraycopy(second, 0, all, first.length, second.length);
      return all;
    }

    private byte[] read() {
      try {
        for (@Nullable ByteBuf data; (data = engine.read()) != null; ) {
          received.writeBytes(data.readBytes(data.readableBytes()));
          data.release();
        }
      } catch (TlsException e) {
        failure = e;
      }
      return output();
    }

    /// Encrypts data and returns what must be sent.
    public byte[] write(byte[] data) {
      try {
        engine.write(ByteBufAllocator.shared().allocate(data.length).writeBytes(data));
      } catch (TlsException e) {
        failure = e;
      }
      return output();
    }

    /// Ends the output and returns what must be sent.
    public byte[] end() {
      try {
        engine.endOutput();
      } catch (TlsException e) {
        failure = e;
      }
      return output();
    }

    private byte[] output() {
      @Nullable ByteBuf output = engine.takeOutput();
      if (output == null) {
        return new byte[0];
      }
      byte[] bytes = output.readBytes(output.readableBytes());
      output.release();
      return bytes;
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  /// What happens to bytes between the sides.
  public interface Wire {

    /// The pieces that arrive.
    ///
    /// @param toServer the direction
    /// @param flight the number of the flight in this direction, from 0
    List<byte[]> carry(boolean toServer, int flight, byte[] bytes);
  }

  private final Peer client;
  private final Peer server;
  private Wire wire = (_, _, bytes) -> List.of(bytes);
  private int flightsToServer;
  private int flightsToClient;

  public EnginePair(TlsContext client, TlsContext server, String host, int port) {
    this.client = new Peer(client.connect(host, port, ByteBufAllocator.shared()));
    this.server = new Peer(server.accept(ByteBufAllocator.shared()));
  }

  /// Bytes pass through this from now on.
  public EnginePair through(Wire other) {
    wire = other;
    return this;
  }

  public Peer client() {
    return client;
  }

  public Peer server() {
    return server;
  }

  /// Performs the handshake, and delivers what follows it, until both sides are silent.
  public EnginePair handshake() {
    exchange(client.start(), server.start());
    return this;
  }

  /// Delivers bytes to the other side, and its answers, until both sides are silent.
  public void exchange(byte[] ofClient, byte[] ofServer) {
    byte[] toServer = ofClient;
    byte[] toClient = ofServer;
    while (toServer.length + toClient.length > 0) {
      byte[] answer = carry(true, toServer);
      byte[] next = carry(false, toClient);
      toClient = answer;
      toServer = next;
    }
  }

  private byte[] carry(boolean toServer, byte[] bytes) {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    if (bytes.length > 0) {
      int flight = toServer ? flightsToServer++ : flightsToClient++;
      for (byte[] piece : wire.carry(toServer, flight, bytes)) {
        answer.writeBytes((toServer ? server : client).receive(piece));
      }
    }
    return answer.toByteArray();
  }

  /// True if both sides are open.
  public boolean isOpen() {
    return client.engine.isOpen() && server.engine.isOpen();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
