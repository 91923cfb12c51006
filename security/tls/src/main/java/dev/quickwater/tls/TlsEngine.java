package dev.quickwater.tls;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.library.BlockingStep;
import dev.quickwater.tls.library.ClientHello;
import dev.quickwater.tls.library.ClientHelloReader;
import dev.quickwater.tls.library.LibraryConnection;
import dev.quickwater.tls.library.LibraryContext;
import dev.quickwater.tls.library.RecordInput;
import dev.quickwater.tls.library.RecordOutput;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One side of a TLS connection without I/O: ciphertext in, plaintext out, and the reverse.
///
/// ```java
/// engine.start();
/// send(engine.takeOutput());
/// // for each buffer that the transport received:
/// engine.receive(ciphertext);
/// for (ByteBuf plaintext; (plaintext = engine.read()) != null; ) {
///   deliver(plaintext);
/// }
/// send(engine.takeOutput());
/// ```
///
/// - **Output:** every method can produce some. After each call, send what [#takeOutput] returns.
///   After a [TlsException] it contains the alert for the peer, unless the peer or the transport
///   ended the connection. For a violation that the engine itself finds after the ClientHello, for
///   example of [TlsLimits], the alert is that of the library for an invalid record, usually
///   bad_record_mac, because only the library has the keys.
/// - **Order of checks:** no plaintext is returned, and none is accepted, before the handshake is
///   complete and the certificate and host name of the peer were verified.
/// - **Thread:** an engine belongs to one thread.
/// - **Private keys of other processes** ([TlsIdentity#signedBy]): parts of the handshake may
///   block, and run on another thread ([#takeTask]).
/// - **Ownership:** methods that take a buffer take ownership of it, also if they throw. The caller
///   owns each buffer that is returned.
/// - **Memory:** an engine holds a buffer only for an incomplete record and for output that was not
///   taken.
/// - **Failure** is final: after a [TlsException], [#read] and [#write] throw the same exception,
///   and [#receive] releases its input. After [#close] they throw an [IllegalStateException].
public final class TlsEngine implements AutoCloseable {

  /// The ciphertext after which no further record is added to a buffer of plaintext: four full
  /// records.
  private static final int MAX_READ = 64 << 10;

  private static final byte[] FATAL_ALERT = {21, 3, 3, 0, 2, 2};

  /// A record with application data that no key decrypts, so that the library sends an alert.
  private static final byte[] INVALID_RECORD = new byte[5 + 64];

  static {
    INVALID_RECORD[0] = 23;
    INVALID_RECORD[1] = 3;
    INVALID_RECORD[2] = 3;
    INVALID_RECORD[4] = 64;
  }

  private final ByteBufAllocator allocator;
  private final TlsLimits limits;
  private final RecordInput input;
  private final RecordOutput output;

  /// Creates the connection when the ClientHello is complete; null on a client and afterwards.
  private @Nullable LibraryContext context;

  private @Nullable ClientHelloReader helloReader;

  /// The records of the ClientHello so far.
  private @Nullable ByteBuf helloRecords;

  private @Nullable ClientHello hello;
  private @Nullable LibraryConnection connection;
  private @Nullable TlsSession session;
  private @Nullable TlsException failure;
  private int handshakeBytes;
  private int emptyRecords;

  /// The library has failed, and has produced its alert.
  private boolean libraryFailed;

  private boolean inputEnded;
  private boolean outputEnded;
  private boolean closed;

  /// The step that [#takeTask] has returned.
  private @Nullable BlockingStep taken;

  /// The engine of a server.
  TlsEngine(TlsSettings settings, LibraryContext context, ByteBufAllocator allocator) {
    this(settings, allocator);
    this.context = context;
    this.helloReader = new ClientHelloReader(limits.maxClientHello());
  }

  /// The engine of a client.
  TlsEngine(TlsSettings settings, LibraryConnection connection, ByteBufAllocator allocator) {
    this(settings, allocator);
    this.connection = connection;
  }

  private TlsEngine(TlsSettings settings, ByteBufAllocator allocator) {
    this.allocator = allocator;
    this.limits = settings.engine().limits();
    this.input = new RecordInput(allocator);
    this.output = new RecordOutput(allocator);
  }

  /// Begins the handshake. A client produces its ClientHello; a server waits for one.
  public void start() throws TlsException {
    requireUsable();
    if (connection != null) {
      try {
        connection.start(output);
      } catch (TlsException e) {
        libraryFailed = true;
        throw fail(e);
      }
    }
  }

  /// Adds ciphertext, which [#read] processes.
  public void receive(ByteBuf ciphertext) {
    if (closed || failure != null || isInputEnded()) {
      ciphertext.release();
    } else {
      input.add(ciphertext);
    }
  }

  /// Processes the received records.
  ///
  /// @return the next plaintext, less than 80 KiB and never empty; null if more ciphertext is
  ///   needed, or if the peer has ended its direction
  /// @throws TlsException if the peer violated the protocol, is not trusted, or sent a fatal alert
  public @Nullable ByteBuf read() throws TlsException {
    requireUsable();
    try {
      while (!inputEnded) {
        @Nullable BlockingStep step = connection == null ? null : connection.step();
        @Nullable ByteBuf plaintext;
        if (step != null) {
          if (!step.isDone()) {
            return null;
          }
          plaintext = completeStep(Objects.requireNonNull(connection), step.remaining());
        } else {
          @Nullable ByteBuf records = input.next(MAX_READ);
          if (records == null) {
            return null;
          }
          plaintext = process(records, input.end());
        }
        if (plaintext != null) {
          return plaintext;
        }
      }
    } catch (TlsException e) {
      throw fail(e);
    }
    input.release();
    return null;
  }

  /// A part of the handshake that may block, because the private key is elsewhere
  /// ([TlsIdentity#signedBy]). Run it on a thread that may block, then call [#read] on the thread
  /// of the engine. Until then, [#read] returns null, and input that is received waits in memory.
  /// [#close] interrupts the thread.
  ///
  /// @return null if there is none, or if it was returned before
  public @Nullable Runnable takeTask() {
    if (closed || failure != null || connection == null) {
      return null;
    }
    @Nullable BlockingStep step = connection.step();
    if (step == taken) {
      return null;
    }
    taken = step;
    return step;
  }

  private @Nullable ByteBuf process(ByteBuf records, int end) throws TlsException {
    if (!isOpen()) {
      handshakeBytes += end - records.readerIndex();
      if (handshakeBytes > limits.maxHandshake()) {
        throw TlsException.local(
            TlsAlert.HANDSHAKE_FAILURE,
            "the peer sent more than maxHandshake, " + limits.maxHandshake() + " bytes");
      }
    }
    @Nullable LibraryConnection library = connection;
    if (library != null) {
      return decrypt(library, records, end);
    }
    @Nullable ByteBuf complete = readHello(records, end);
    if (complete == null) {
      return null;
    }
    try {
      return decrypt(Objects.requireNonNull(connection), complete, complete.writerIndex());
    } finally {
      complete.release();
    }
  }

  /// The records up to and including the ClientHello, once they are complete.
  private @Nullable ByteBuf readHello(ByteBuf records, int end) throws TlsException {
    int from = records.readerIndex();
    ByteBuf all = helloRecords == null ? allocator.allocate(end - from) : helloRecords;
    helloRecords = all;
    all.ensureWritable(end - from).writeBytes(records, from, end - from);
    records.readerIndex(end);
    ClientHelloReader reader = Objects.requireNonNull(helloReader);
    @Nullable ClientHello read =
        reader.read(all, all.writerIndex() - (end - from), all.writerIndex());
    if (read == null) {
      return null;
    }
    LibraryConnection library = Objects.requireNonNull(context).accept(read);
    connection = library;
    call(() -> {
      library.start(output);
      return 0;
    });
    hello = read;
    context = null;
    helloReader = null;
    helloRecords = null;
    return all;
  }

  private @Nullable ByteBuf decrypt(LibraryConnection library, ByteBuf records, int end)
      throws TlsException {
    ByteBuf plaintext = allocator.allocate(end - records.readerIndex());
    return received(library, plaintext, () -> library.receive(records, end, plaintext, output));
  }

  private @Nullable ByteBuf completeStep(LibraryConnection library, int maxBytes)
      throws TlsException {
    taken = null;
    ByteBuf plaintext = allocator.allocate(maxBytes);
    return received(library, plaintext, () -> library.completeStep(plaintext, output));
  }

  /// A call of the library.
  private interface LibraryCall {
    /// @return the number of records at the end of the input that had no application data
    int perform() throws TlsException;
  }

  private int call(LibraryCall call) throws TlsException {
    try {
      return call.perform();
    } catch (TlsException e) {
      libraryFailed = true;
      throw e;
    }
  }

  private @Nullable ByteBuf received(LibraryConnection library, ByteBuf plaintext, LibraryCall call)
      throws TlsException {
    boolean returned = false;
    try {
      int empty = call(call);
      returned = plaintext.isReadable();
      inputEnded = library.isInputEnded();
      if (!isOpen() && library.isOpen()) {
        opened(library);
      } else if (isOpen()) {
        countEmpty(empty, returned);
      }
      return returned ? plaintext : null;
    } catch (TlsException e) {
      returned = false;
      throw e;
    } finally {
      if (!returned) {
        plaintext.release();
      }
    }
  }

  /// The library has parsed the ClientHello separately. If it found another name, for example in a
  /// second ClientHello, the identity was selected for the wrong name.
  private void opened(LibraryConnection library) throws TlsException {
    TlsSession agreed = library.session();
    if (hello != null && !Objects.equals(hello.serverName(), agreed.serverName())) {
      throw TlsException.local(
          TlsAlert.ILLEGAL_PARAMETER, "the peer changed the host name it requests (SNI)");
    }
    hello = null;
    session = agreed;
  }

  private void countEmpty(int empty, boolean hasData) throws TlsException {
    emptyRecords = hasData ? empty : emptyRecords + empty;
    if (emptyRecords > limits.maxEmptyRecords()) {
      throw TlsException.local(
          TlsAlert.UNEXPECTED_MESSAGE,
          "the peer sent more than maxEmptyRecords, "
              + limits.maxEmptyRecords()
              + ", records without data");
    }
  }

  private TlsException fail(TlsException e) {
    failure = e;
    input.release();
    releaseHello();
    @Nullable TlsAlert alert = e.alert();
    if (e.side() == TlsException.Side.LOCAL && alert != null) {
      if (connection == null) {
        output.room(FATAL_ALERT.length + 1).writeBytes(FATAL_ALERT).writeByte(alert.code());
      } else if (!libraryFailed) {
        provokeAlert(connection);
      }
    }
    return e;
  }

  /// Lets the library refuse a record, because it sends no alert on request.
  private void provokeAlert(LibraryConnection library) {
    libraryFailed = true;
    ByteBuf ignored = allocator.allocate(INVALID_RECORD.length);
    ByteBuf record = allocator.allocate(INVALID_RECORD.length).writeBytes(INVALID_RECORD);
    try {
      library.receive(record, record.writerIndex(), ignored, output);
      @Nullable BlockingStep step = library.step();
      if (step != null) {
        step.run(); // does not block, because the library refuses the record before it signs
        library.completeStep(ignored, output);
      }
    } catch (TlsException _) {
      // expected
    } finally {
      record.release();
      ignored.release();
    }
  }

  /// Encrypts data.
  ///
  /// @throws TlsException if the library fails, or the connection has failed before
  /// @throws IllegalStateException before the handshake is complete, and after [#endOutput]
  public void write(ByteBuf plaintext) throws TlsException {
    try {
      requireUsable();
      if (!isOpen() || outputEnded) {
        throw new IllegalStateException(
            isOpen() ? "the output has ended" : "the handshake is not complete");
      }
      Objects.requireNonNull(connection).send(plaintext, output);
    } catch (TlsException e) {
      libraryFailed = true;
      throw failure == null ? fail(e) : e;
    } finally {
      plaintext.release();
    }
  }

  /// The ciphertext to send, or null if there is none.
  public @Nullable ByteBuf takeOutput() {
    return output.take();
  }

  /// Ends our direction: produces close_notify (RFC 8446 section 6.1) if the handshake is complete.
  /// Later calls have no effect.
  public void endOutput() throws TlsException {
    if (outputEnded || closed) {
      return;
    }
    outputEnded = true;
    if (isOpen() && failure == null) {
      try {
        Objects.requireNonNull(connection).endOutput(output);
      } catch (TlsException e) {
        libraryFailed = true;
        throw fail(e);
      }
    }
  }

  /// Reports that the transport has ended. Call [#read] before, until it returns null.
  ///
  /// @throws TlsException if the peer did not send close_notify, so data may be missing; not thrown
  ///   again after another failure
  public void endInput() throws TlsException {
    if (closed || failure != null || isInputEnded()) {
      return;
    }
    throw fail(
        TlsException.truncated(
            isOpen()
                ? "the connection ended without close_notify, so data may be missing"
                : "the connection ended during the TLS handshake"));
  }

  /// True once the handshake is complete and every check of the peer has passed.
  public boolean isOpen() {
    return session != null;
  }

  /// True once the peer has ended its direction by close_notify.
  public boolean isInputEnded() {
    return inputEnded;
  }

  /// True once our direction has ended.
  public boolean isOutputEnded() {
    return outputEnded;
  }

  /// What the handshake agreed on.
  ///
  /// @throws IllegalStateException before the handshake is complete
  public TlsSession session() {
    if (session == null) {
      throw new IllegalStateException("the handshake is not complete");
    }
    return session;
  }

  private void requireUsable() throws TlsException {
    if (failure != null) {
      throw failure;
    }
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  private void releaseHello() {
    if (helloRecords != null) {
      helloRecords.release();
      helloRecords = null;
    }
  }

  /// Releases everything that the engine holds. Sends nothing; see [#endOutput].
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    input.release();
    releaseHello();
    @Nullable ByteBuf rest = output.take();
    if (rest != null) {
      rest.release();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
