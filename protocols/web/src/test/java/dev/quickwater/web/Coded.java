package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Decoding;
import dev.quickwater.codec.verify.Events;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/// Compressed content for tests, by the JDK, and its decoder under a [CodecVerifier].
final class Coded {

  private Coded() {}

  static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] gzip(String plain) {
    return gzip(plain.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] deflate(String plain) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(plain.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  static CodecVerifier verifier(ContentCoding coding) {
    return CodecVerifier.of(() -> new Decoder(coding));
  }

  /// A decoder whose events are the content, and whether the content is complete.
  static class Decoder implements Decoding {

    private final ContentDecoder decoder;
    private final byte[] out = new byte[64];
    int steps;

    Decoder(ContentCoding coding) {
      decoder = new ContentDecoder(coding, 2000);
    }

    @Override
    public void decode(ByteBuf in, Events events) throws ZipException {
      int count;
      do {
        count = decoder.decode(in, out);
        steps++;
        if (count > 0) {
          ByteBuf piece = ByteBuf.wrap(out.clone());
          events.content(piece, count);
          piece.release();
        }
      } while (count > 0);
    }

    boolean isComplete() {
      return decoder.isComplete();
    }

    @Override
    public void close() {
      decoder.close();
    }
  }
}
