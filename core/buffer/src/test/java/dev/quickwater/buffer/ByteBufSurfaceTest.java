package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The class that every user meets stays small enough to be known by heart.
class ByteBufSurfaceTest {

  private static final int LIMIT = 90;

  private static List<Method> methods() {
    return Arrays.stream(ByteBuf.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .toList();
  }

  @Test
  void publicMethodsAreFewerThanNinety() {
    assertTrue(methods().size() < LIMIT, methods().size() + " public methods: " + methods());
  }

  @Test
  void orderIsAnArgumentAndNotAName() {
    assertTrue(methods().stream().noneMatch(method -> method.getName().endsWith("LE")));
  }
}
