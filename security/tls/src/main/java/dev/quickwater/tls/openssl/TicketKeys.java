package dev.quickwater.tls.openssl;

import dev.quickwater.system.Memory;
import dev.quickwater.tls.TlsSessions;
import dev.quickwater.tls.TlsTicketKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The keys that encrypt session tickets with AES-256-CBC and HMAC-SHA-256: the construction that
/// RFC 5077 section 4 recommends, which has AES-128. The first key encrypts, all decrypt.
/// Thread-safe.
final class TicketKeys {

  /// How long a key of this process encrypts.
  static final Duration ROTATION = Duration.ofHours(1);

  /// Shared by all contexts, so that sessions survive a change of settings; the session id context
  /// keeps apart what must not be mixed.
  private static final TicketKeys OF_PROCESS = new TicketKeys(List.of(), System::nanoTime);

  private static final int NAME = 16;
  private static final int KEY = 32;

  private static final int FAILED = -1;
  private static final int UNKNOWN = 0;
  static final int USED = 1;
  static final int USED_AND_RENEW = 2;

  /// A key and the time of its creation.
  static final class Key {

    private final byte[] name;
    private final byte[] cipher;
    private final byte[] mac;
    private final long createdNanos;

    Key(TlsTicketKey key, long now) {
      byte[] secret = key.secret();
      name = Arrays.copyOf(derive(secret, "name"), NAME);
      cipher = derive(secret, "cipher");
      mac = derive(secret, "mac");
      createdNanos = now;
      Arrays.fill(secret, (byte) 0);
    }

    /// What identifies the key in a ticket.
    byte[] name() {
      return name.clone();
    }

    private static byte[] derive(byte[] secret, String purpose) {
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        return mac.doFinal(("quickwater ticket " + purpose).getBytes(StandardCharsets.US_ASCII));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has HmacSHA256", e);
      }
    }
  }

  private final boolean rotate;
  private final LongSupplier nanoTime;
  private long retainNanos;
  private volatile List<Key> keys;

  /// Keys that are given, or that rotate if there are none.
  TicketKeys(List<TlsTicketKey> given, LongSupplier nanoTime) {
    this.rotate = given.isEmpty();
    this.nanoTime = nanoTime;
    this.keys = given.stream().map(key -> new Key(key, 0)).toList();
  }

  /// The keys that the settings select.
  static TicketKeys of(TlsSessions sessions) {
    if (!sessions.ticketKeys().isEmpty()) {
      return new TicketKeys(sessions.ticketKeys(), System::nanoTime);
    }
    OF_PROCESS.retain(sessions.lifetime());
    return OF_PROCESS;
  }

  /// Keeps keys as long as a session of this lifetime can be resumed.
  synchronized void retain(Duration lifetime) {
    retainNanos = Math.max(retainNanos, lifetime.plus(ROTATION).toNanos());
  }

  /// The keys, the one that encrypts first.
  List<Key> current() {
    List<Key> present = keys;
    if (!rotate) {
      return present;
    }
    long now = nanoTime.getAsLong();
    return isFresh(present, now) ? present : renew(now);
  }

  private static boolean isFresh(List<Key> present, long now) {
    return !present.isEmpty() && now - present.getFirst().createdNanos < ROTATION.toNanos();
  }

  private synchronized List<Key> renew(long now) {
    if (!isFresh(keys, now)) {
      List<Key> next = new ArrayList<>();
      next.add(new Key(TlsTicketKey.random(), now));
      for (Key key : keys) {
        if (now - key.createdNanos < retainNanos) {
          next.add(key);
        }
      }
      keys = List.copyOf(next);
    }
    return keys;
  }

  /// Sets up the encryption or decryption of one ticket.
  ///
  /// @param name 16 bytes that identify the key
  /// @param iv 16 bytes of the initialisation vector
  /// @param cipher an EVP_CIPHER_CTX
  /// @param mac an HMAC_CTX
  /// @return the result of the callback of `SSL_CTX_set_tlsext_ticket_key_cb`
  int apply(long name, long iv, long cipher, long mac, boolean encrypt) {
    List<Key> all = current();
    if (encrypt) {
      Key key = all.getFirst();
      Memory.copy(key.name, 0, name, NAME);
      boolean ready = (int) LibSsl.RAND_bytes.call(iv, NAME) == 1;
      return ready && initialise(key, iv, cipher, mac, true) ? USED : FAILED;
    }
    byte[] wanted = NativeText.bytes(name, NAME);
    for (Key key : all) {
      if (Arrays.equals(key.name, wanted)) {
        int found = key == all.getFirst() ? USED : USED_AND_RENEW;
        return initialise(key, iv, cipher, mac, false) ? found : FAILED;
      }
    }
    return UNKNOWN;
  }

  private static boolean initialise(Key key, long iv, long cipher, long mac, boolean encrypt) {
    long secret = CallFrame.current().small();
    Memory.copy(key.mac, 0, secret, KEY);
    Memory.copy(key.cipher, 0, secret + KEY, KEY);
    try {
      long aes = LibSsl.EVP_aes_256_cbc.call();
      var function = encrypt ? LibSsl.EVP_EncryptInit_ex : LibSsl.EVP_DecryptInit_ex;
      return (int) LibSsl.HMAC_Init_ex.call(mac, secret, KEY, LibSsl.EVP_sha256.call(), 0) == 1
          && (int) function.call(cipher, aes, 0, secret + KEY, iv) == 1;
    } finally {
      Memory.fill(secret, 2 * KEY, (byte) 0);
    }
  }
}
