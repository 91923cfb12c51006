package dev.quickwater.tls.openssl;

import dev.quickwater.system.Memory;
import dev.quickwater.system.NativeAccess;
import dev.quickwater.system.NativeLibrary;
import dev.quickwater.system.Settings;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The OpenSSL of this process: version 1.1.1e or later, or 3.x, loaded at the first use and never
/// unloaded. After a failure, the next use tries again.
final class OpenSslLibrary {

  private static final List<String> NAMES = List.of("libssl.so.3", "libssl.so.1.1");

  /// The version of OpenSSL 1.1.1.
  private static final long OLDEST = 0x10101000L;

  private static final Loader LOADER = new Loader();

  private final String version;
  private final long versionNumber;
  private final String name;

  /// The methods of the BIO that appends to the output of the current connection.
  private final long outputMethod;

  private OpenSslLibrary(NativeLibrary library) {
    LibSsl.link(library);
    name = library.name();
    versionNumber = LibSsl.OpenSSL_version_num.call();
    version = Objects.requireNonNullElse(NativeText.read(LibSsl.OpenSSL_version.call(0)), name);
    if (versionNumber < OLDEST) {
      throw new UnsupportedOperationException(
          version + " (" + name + ") is too old, expected OpenSSL 1.1.1 or 3.x");
    }
    long init =
        LibSsl.INIT_LOAD_SSL_STRINGS | LibSsl.INIT_LOAD_CRYPTO_STRINGS | LibSsl.INIT_NO_ATEXIT;
    if ((int) LibSsl.OPENSSL_init_ssl.call(init, 0) != 1) {
      throw new UnsupportedOperationException(version + " cannot be initialised");
    }
    checkInput();
    Upcalls.link();
    outputMethod = outputMethod();
  }

  /// Loads the library.
  ///
  /// @throws UnsupportedOperationException if native access is not granted or there is no usable
  ///   OpenSSL; the message has the reason
  static OpenSslLibrary load() {
    return LOADER.load();
  }

  /// Holds the library once it is loaded.
  private static final class Loader {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable OpenSslLibrary loaded;

    OpenSslLibrary load() {
      @Nullable OpenSslLibrary present = loaded;
      if (present != null) {
        return present;
      }
      lock.lock();
      try {
        present = loaded;
        if (present == null) {
          present = new OpenSslLibrary(open());
          loaded = present;
        }
        return present;
      } finally {
        lock.unlock();
      }
    }
  }

  private static NativeLibrary open() {
    if (!NativeAccess.enabled()) {
      throw new UnsupportedOperationException("OpenSSL cannot be used: " + NativeAccess.reason());
    }
    boolean auto = Settings.TLS_LIBRARY.equals("auto");
    List<String> names = auto ? NAMES : List.of(Settings.TLS_LIBRARY);
    for (String name : names) {
      @Nullable NativeLibrary library = NativeLibrary.open(name);
      if (library != null) {
        return library;
      }
    }
    throw new UnsupportedOperationException(
        "OpenSSL cannot be loaded; tried "
            + String.join(", ", names)
            + (auto ? "" : " of the setting dev.quickwater.tls.library"));
  }

  /// The input of a connection is a read-only memory BIO whose BUF_MEM is pointed at each record.
  /// Releases of OpenSSL 1.1.1 before e copy the BUF_MEM, which makes that impossible.
  private void checkInput() {
    long bio = LibSsl.BIO_new_mem_buf.call(outputName(), 0);
    if (bio == 0) {
      throw new OutOfMemoryError("BIO_new_mem_buf");
    }
    try (Arena arena = Arena.ofConfined()) {
      long target = NativeText.allocate(arena, new byte[Long.BYTES]);
      InputBio.point(InputBio.bufMem(bio), NativeText.allocate(arena, new byte[] {1, 2, 3}), 3);
      if ((int) LibSsl.BIO_read.call(bio, target, 2) != 2
          || (int) LibSsl.BIO_read.call(bio, target, 2) != 1
          || Memory.getByte(target, 0) != 3) {
        throw new UnsupportedOperationException(version + " is too old, expected 1.1.1e or newer");
      }
    } finally {
      LibSsl.BIO_free.call(bio);
    }
  }

  private static long outputMethod() {
    int type = (int) LibSsl.BIO_get_new_index.call() | LibSsl.BIO_TYPE_SOURCE_SINK;
    long method = LibSsl.BIO_meth_new.call(type, outputName());
    if (method == 0) {
      throw new OutOfMemoryError("BIO_meth_new");
    }
    LibSsl.BIO_meth_set_write.call(method, Upcalls.addresses().write());
    // The control function of the null BIO answers the flush of a handshake with success.
    long control = LibSsl.BIO_meth_get_ctrl.call(LibSsl.BIO_s_null.call());
    LibSsl.BIO_meth_set_ctrl.call(method, control);
    return method;
  }

  private static long outputName() {
    return NativeText.allocate(Arena.global(), "quickwater");
  }

  /// The methods of the BIO that appends to the output of the current connection.
  long outputMethodAddress() {
    return outputMethod;
  }

  /// True for OpenSSL 3.x.
  boolean isVersion3() {
    return versionNumber >= 0x30000000L;
  }

  /// The version and the file, for example `OpenSSL 3.0.19 27 Jan 2026 (libssl.so.3)`.
  String description() {
    return version + " (" + name + ")";
  }
}
