package dev.quickwater.tls.library;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsSession;
import dev.quickwater.tls.jdk.JdkConnection;
import dev.quickwater.tls.openssl.OpenSslConnection;
import org.jspecify.annotations.Nullable;

/// One connection of a library: what [TlsEngine] leaves to OpenSSL or the JDK.
///
/// - All calls are made on one thread, and none after [#close] or after a method threw.
/// - A method that throws [TlsException] with [TlsException.Side#LOCAL] has appended the alert that
///   the library produced to the output.
/// - The input has whole records only, whose headers [TlsEngine] has checked: a known type, a
///   version of TLS, a length within the maximum.
public sealed interface LibraryConnection extends AutoCloseable
    permits OpenSslConnection, JdkConnection {

  /// Begins the handshake. A client appends its ClientHello.
  void start(RecordOutput output) throws TlsException;

  /// Processes all records between the reader index of `records` and `end`, and advances the reader
  /// index to `end`. Appends application data to `plaintext`, which has room for it, and records
  /// that must be sent to `output`. Ignores what follows close_notify.
  ///
  /// @return the number of records at the end of the input that had no application data
  /// @throws TlsException if the peer violated the protocol, is not trusted, or sent a fatal alert
  int receive(ByteBuf records, int end, ByteBuf plaintext, RecordOutput output) throws TlsException;

  /// The part of the handshake that the connection waits for, or null. Until it is done, the
  /// connection accepts no call other than [#close].
  default @Nullable BlockingStep step() {
    return null;
  }

  /// Ends the step, which is done. Appends to `plaintext` and `output` as [#receive] does; at most
  /// [BlockingStep#remaining] bytes of plaintext.
  ///
  /// @return the number of records at the end of the input that had no application data
  /// @throws TlsException as [#receive]
  default int completeStep(ByteBuf plaintext, RecordOutput output) throws TlsException {
    throw new IllegalStateException("no step is done");
  }

  /// Encrypts the readable bytes of `plaintext` and advances its reader index to its end. Called
  /// only while [#isOpen] and before [#endOutput].
  void send(ByteBuf plaintext, RecordOutput output) throws TlsException;

  /// Appends close_notify.
  void endOutput(RecordOutput output) throws TlsException;

  /// True once the handshake is complete and every check of the peer has passed.
  boolean isOpen();

  /// True once close_notify was received.
  boolean isInputEnded();

  /// What the handshake agreed on; the result remains valid after [#close]. Called once, when
  /// [#isOpen].
  TlsSession session();

  /// Frees what the connection holds.
  @Override
  void close();
}
