package io.skerry.chunk.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that {@link PassThroughFormat} overrides every operation of the interface. */
class PassThroughFormatTest {
  private static boolean isForwarded(Method method) {
    try {
      return PassThroughFormat.class
          .getMethod(method.getName(), method.getParameterTypes())
          .getDeclaringClass()
          .equals(PassThroughFormat.class);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void every_operation_is_forwarded() {
    List<String> others =
        Stream.of(ChunkFormat.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> !isForwarded(method))
            .map(Method::toString)
            .toList();
    assertEquals(List.of(), others);
  }
}
