package dev.quickwater.buffer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An immutable list of buffers that is written as one.
///
/// It owns its parts and releases them with itself. It is no [ByteBuf], so that no accessor of a
/// plain buffer has to ask whether it is made of several.
public final class CompositeByteBuf implements Payload {

  private final List<ByteBuf> parts;
  private final long size;
  private boolean released;

  private CompositeByteBuf(List<ByteBuf> parts) {
    this.parts = parts;
    long sum = 0;
    for (ByteBuf part : parts) {
      part.requireLive();
      sum += part.readableBytes();
    }
    this.size = sum;
  }

  /// Joins the readable bytes of `parts`, which it takes over.
  ///
  /// @throws IllegalStateException if one of them was released; none is taken over then
  public static CompositeByteBuf of(ByteBuf... parts) {
    return new CompositeByteBuf(List.of(parts));
  }

  /// The parts, in order; they stay this object's own.
  public List<ByteBuf> parts() {
    if (released) {
      throw new IllegalStateException("the composite buffer was released");
    }
    return parts;
  }

  @Override
  public long size() {
    return size;
  }

  /// Releases every part, also when one fails to: a part that somebody else has released does not
  /// keep the others.
  @Override
  public void release() {
    if (released) {
      throw new IllegalStateException("the composite buffer was released already");
    }
    released = true;
    @Nullable IllegalStateException failure = null;
    for (ByteBuf part : parts) {
      try {
        part.release();
      } catch (IllegalStateException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
