package dev.quickwater.tls.openssl;

import dev.quickwater.system.NativeFunction;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Stands between the code and OpenSSL: counts the references that the code owns, and lets one call
/// that creates an object fail.
final class OwnedPointers implements AutoCloseable {

  private static final List<NativeFunction> CREATORS =
      List.of(
          LibSsl.SSL_CTX_new,
          LibSsl.SSL_new,
          LibSsl.BIO_new,
          LibSsl.BIO_new_mem_buf,
          LibSsl.d2i_X509,
          LibSsl.d2i_AutoPrivateKey,
          LibSsl.SSL_get1_peer_certificate);

  private static final List<NativeFunction> DESTROYERS =
      List.of(
          LibSsl.SSL_CTX_free,
          LibSsl.SSL_free,
          LibSsl.BIO_free,
          LibSsl.X509_free,
          LibSsl.EVP_PKEY_free);

  private final Map<Long, String> owned = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final Map<NativeFunction, MethodHandle> originals = new HashMap<>();
  private final int failing;
  private int created;

  /// @param failing which call that creates something returns the null pointer; 0 for none
  OwnedPointers(int failing) throws ReflectiveOperationException {
    OpenSslLibrary.load();
    this.failing = failing;
    for (NativeFunction function : CREATORS) {
      replace(function, "create");
    }
    for (NativeFunction function : DESTROYERS) {
      replace(function, "destroy");
    }
    replace(LibSsl.SSL_set_bio, "give");
    replace(LibSsl.SSL_CTX_ctrl, "giveToContext");
  }

  private void replace(NativeFunction function, String method) throws ReflectiveOperationException {
    MethodHandle original = function.site().getTarget();
    originals.put(function, original);
    MethodHandle handler =
        MethodHandles.lookup()
            .bind(
                this,
                method,
                MethodType.methodType(
                    long.class, NativeFunction.class, MethodHandle.class, long[].class));
    function
        .site()
        .setTarget(
            MethodHandles.insertArguments(handler, 0, function, original)
                .asCollector(long[].class, function.arguments()));
  }

  private static long call(MethodHandle original, long[] arguments) throws Throwable {
    return (long) original.asSpreader(long[].class, arguments.length).invokeExact(arguments);
  }

  long create(NativeFunction function, MethodHandle original, long[] arguments) throws Throwable {
    if (++created == failing) {
      return 0;
    }
    long pointer = call(original, arguments);
    if (pointer != 0) {
      owned.put(pointer, function.names().getFirst());
    }
    return pointer;
  }

  long destroy(NativeFunction function, MethodHandle original, long[] arguments) throws Throwable {
    if (arguments[0] != 0 && owned.remove(arguments[0]) == null) {
      faults.add(function.names().getFirst() + " of what is not owned");
      return 0;
    }
    return call(original, arguments);
  }

  /// The SSL takes ownership of the BIOs.
  long give(NativeFunction function, MethodHandle original, long[] arguments) throws Throwable {
    owned.remove(arguments[1]);
    owned.remove(arguments[2]);
    return call(original, arguments);
  }

  /// The SSL_CTX takes ownership of a certificate of the chain.
  long giveToContext(NativeFunction function, MethodHandle original, long[] arguments)
      throws Throwable {
    long result = call(original, arguments);
    if (arguments[1] == LibSsl.CTRL_CHAIN_CERT && result == 1) {
      owned.remove(arguments[3]);
    }
    return result;
  }

  /// The number of calls that created something, or would have.
  int created() {
    return created;
  }

  /// What was not freed, or freed twice.
  List<String> faults() {
    List<String> all = new ArrayList<>(faults);
    all.addAll(owned.values());
    return all;
  }

  @Override
  public void close() {
    originals.forEach((function, original) -> function.site().setTarget(original));
  }
}
