package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.quickwater.common.Promise;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Which events a handler class is asked for.
final class HandlerMaskTest {

  private static final int ALL = (1 << 15) - 1;

  private static final class Nothing implements ChannelHandler {}

  private static class Reads implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {}
  }

  private static final class ReadsAndWrites extends Reads {
    @Override
    public void write(HandlerContext context, Object message, @Nullable Promise<Void> promise) {}
  }

  private interface Defaults extends ChannelHandler {
    @Override
    default void flush(HandlerContext context) {}
  }

  private static final class Inherits implements Defaults {}

  @Test
  void onlyWhatIsOverridden() {
    assertEquals(0, HandlerMask.of(Nothing.class).bits);
    assertEquals(HandlerMask.READ, HandlerMask.of(Reads.class).bits);
    assertEquals(HandlerMask.READ | HandlerMask.WRITE, HandlerMask.of(ReadsAndWrites.class).bits);
    assertEquals(HandlerMask.FLUSH, HandlerMask.of(Inherits.class).bits);
  }

  @Test
  void everyEventHasADistinctBit() {
    class Everything implements ChannelHandler {
      @Override
      public void channelActive(HandlerContext context) {}

      @Override
      public void channelInactive(HandlerContext context) {}

      @Override
      public void channelRead(HandlerContext context, Object message) {}

      @Override
      public void channelReadComplete(HandlerContext context) {}

      @Override
      public void channelInputClosed(HandlerContext context) {}

      @Override
      public void channelWritabilityChanged(HandlerContext context) {}

      @Override
      public void userEvent(HandlerContext context, Object event) {}

      @Override
      public void exceptionCaught(HandlerContext context, Throwable cause) {}

      @Override
      public void write(HandlerContext context, Object message, @Nullable Promise<Void> promise) {}

      @Override
      public void flush(HandlerContext context) {}

      @Override
      public void shutdownOutput(HandlerContext context) {}

      @Override
      public void close(HandlerContext context) {}

      @Override
      public void pauseReading(HandlerContext context) {}

      @Override
      public void resumeReading(HandlerContext context) {}

      @Override
      public void closeGracefully(HandlerContext context, Duration limit, long maxBytes) {}
    }
    assertEquals(ALL, HandlerMask.of(Everything.class).bits);
  }

  @Test
  void anonymousClassesAndLambdaFreeOnesWork() {
    ChannelHandler handler =
        new ChannelHandler() {
          @Override
          public void userEvent(HandlerContext context, Object event) {}
        };
    assertEquals(HandlerMask.USER_EVENT, HandlerMask.of(handler.getClass()).bits);
  }

  /// A method whose types cannot be found makes looking at the class fail.
  @Test
  void classThatCannotBeInspectedGetsAllEvents() throws Exception {
    ClassDesc self = ClassDesc.of("test.Unlinked");
    byte[] bytes =
        ClassFile.of()
            .build(
                self,
                builder ->
                    builder
                        .withFlags(AccessFlag.PUBLIC)
                        .withInterfaceSymbols(ClassDesc.of(ChannelHandler.class.getName()))
                        .withMethodBody(
                            "channelRead",
                            MethodTypeDesc.of(
                                ConstantDescs.CD_void, ClassDesc.of("test.DoesNotExist")),
                            ClassFile.ACC_PUBLIC,
                            code -> code.return_()));
    Class<? extends ChannelHandler> unlinked =
        new ClassLoader(HandlerMaskTest.class.getClassLoader()) {
          Class<?> define() {
            return defineClass("test.Unlinked", bytes, 0, bytes.length);
          }
        }.define().asSubclass(ChannelHandler.class);
    assertEquals(ALL, HandlerMask.of(unlinked).bits);
    assertNotEquals(ALL, HandlerMask.of(Reads.class).bits);
  }
}
