package dev.quickwater.tls.openssl;

import dev.quickwater.system.Linkage;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The functions that OpenSSL calls. Each acts on the connection of the current [CallFrame] and
/// returns a failure instead of throwing.
final class Upcalls {

  private static final AtomicReference<@Nullable Addresses> ADDRESSES = new AtomicReference<>();

  /// The addresses of the functions.
  record Addresses(
      long write,
      long verify,
      long info,
      long serverName,
      long selectProtocol,
      long status,
      long newSession,
      long ticketKey,
      long keyLog) {}

  /// An action of a callback.
  private interface Action {
    long run(Handshake handshake) throws Exception;
  }

  private Upcalls() {}

  /// Creates the functions.
  static void link() {
    if (ADDRESSES.get() == null) {
      ADDRESSES.set(
          new Addresses(
              upcall("write", 3),
              upcall("verify", 2),
              upcall("info", 3),
              upcall("serverName", 3),
              upcall("selectProtocol", 6),
              upcall("status", 2),
              upcall("newSession", 2),
              upcall("ticketKey", 6),
              upcall("keyLog", 2)));
    }
  }

  static Addresses addresses() {
    return Objects.requireNonNull(ADDRESSES.get());
  }

  private static long upcall(String name, int arguments) {
    Class<?>[] longs = new Class<?>[arguments];
    Arrays.fill(longs, long.class);
    try {
      MethodHandle target =
          MethodHandles.lookup()
              .findStatic(Upcalls.class, name, MethodType.methodType(long.class, longs));
      return Linkage.upcall(target);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Upcalls." + name, e);
    }
  }

  private static long run(long failed, Action action) {
    CallFrame frame = null;
    try {
      frame = CallFrame.current();
      return action.run(frame.connection().handshake());
    } catch (Throwable t) {
      if (frame != null) {
        frame.fail(t);
      }
      return failed;
    }
  }

  /// `int write(BIO *bio, const char *data, int length)`
  static long write(long bio, long data, long length) {
    CallFrame frame = null;
    try {
      frame = CallFrame.current();
      frame.connection().append(data, (int) length);
      return (int) length;
    } catch (Throwable t) {
      if (frame != null) {
        frame.fail(t);
      }
      return -1;
    }
  }

  /// `int verify(X509_STORE_CTX *store, void *argument)`
  static long verify(long store, long argument) {
    return run(0, handshake -> handshake.verifyChain(store));
  }

  /// `void info(const SSL *ssl, int where, int value)`
  static long info(long ssl, long where, long value) {
    int kind = (int) where;
    if (kind == LibSsl.CB_READ_ALERT || kind == LibSsl.CB_WRITE_ALERT) {
      return run(
          0,
          handshake -> {
            handshake.alert(kind == LibSsl.CB_WRITE_ALERT, (int) value);
            return 0;
          });
    }
    return 0;
  }

  /// `int serverName(SSL *ssl, int *alert, void *argument)`
  static long serverName(long ssl, long alert, long argument) {
    return run(LibSsl.TLSEXT_ERR_ALERT_FATAL, Handshake::readServerName);
  }

  /// `int selectProtocol(SSL *ssl, const unsigned char **out, unsigned char *outLength, const
  /// unsigned char *offered, unsigned int length, void *argument)`
  static long selectProtocol(
      long ssl, long out, long outLength, long offered, long length, long argument) {
    return run(
        LibSsl.TLSEXT_ERR_ALERT_FATAL,
        handshake -> handshake.selectProtocol(out, outLength, offered, (int) length));
  }

  /// `int status(SSL *ssl, void *argument)`
  static long status(long ssl, long argument) {
    return run(-1, Handshake::certificateStatus);
  }

  /// `int newSession(SSL *ssl, SSL_SESSION *session)`; 1 keeps the reference.
  static long newSession(long ssl, long session) {
    return run(0, handshake -> handshake.rememberSession(session));
  }

  /// `int ticketKey(SSL *ssl, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher,
  /// HMAC_CTX *mac, int encrypt)`
  static long ticketKey(long ssl, long name, long iv, long cipher, long mac, long encrypt) {
    return run(-1, handshake -> handshake.ticketKey(name, iv, cipher, mac, (int) encrypt != 0));
  }

  /// `void keyLog(const SSL *ssl, const char *line)`
  static long keyLog(long ssl, long line) {
    return run(
        0,
        handshake -> {
          handshake.logKey(line);
          return 0;
        });
  }
}
