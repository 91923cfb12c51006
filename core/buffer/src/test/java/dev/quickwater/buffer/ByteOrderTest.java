package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteOrder;
import java.util.Arrays;

class ByteOrderTest extends Buffers {

  @EachStorage
  void missingOrderIsNamedBeforeAnythingHappens(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    int methods = 0;
    for (Method method : ByteBuf.class.getMethods()) {
      if (!Arrays.asList(method.getParameterTypes()).contains(ByteOrder.class)) {
        continue;
      }
      methods++;
      Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length - 1; i++) {
        arguments[i] = method.getParameterTypes()[i] == long.class ? (Object) 1L : (Object) 1;
      }
      Throwable failure =
          assertThrows(InvocationTargetException.class, () -> method.invoke(buffer, arguments))
              .getCause();
      assertEquals("java.lang.NullPointerException: order", failure.toString(), method.getName());
      assertEquals(0, buffer.readerIndex());
      assertEquals(16, buffer.writerIndex());
    }
    assertEquals(14, methods);
    buffer.release();
  }
}
