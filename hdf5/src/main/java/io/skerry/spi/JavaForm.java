package io.skerry.spi;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;

/**
 * The conversion between values and objects of a Java class. Local, thread-safe.
 *
 * @param java the class of the objects
 */
record JavaForm<T>(Class<T> java) {
  private static final int DOUBLE_PRECISION = 53;
  private static final int FLOAT_PRECISION = 24;

  /**
   * Returns the conversion for a class.
   *
   * @param type the datatype of the values
   * @param where the values, for the message
   * @throws IllegalArgumentException if the class is not supported, or does not fit the datatype
   */
  static <T> JavaForm<T> of(Class<T> java, Datatype type, String where) {
    if (!fits(java, type)) {
      throw new IllegalArgumentException(
          "the class does not fit the " + where + ": class=" + java.getName() + " type=" + type);
    }
    return new JavaForm<>(java);
  }

  private static boolean fits(Class<?> java, Datatype type) {
    return java.equals(Value.class)
        || switch (type) {
          case FixedPoint _, Enumeration _ -> isOneOf(java, Long.class, Integer.class);
          case FloatingPoint _ -> isOneOf(java, Double.class, Float.class);
          case StringType _ -> java.equals(String.class);
          case VariableLength variable ->
              variable.kind() == VariableLength.Kind.STRING && java.equals(String.class);
          case Opaque _ -> java.equals(byte[].class);
          default -> false;
        };
  }

  private static boolean isOneOf(Class<?> java, Class<?> one, Class<?> other) {
    return java.equals(one) || java.equals(other);
  }

  /** Converts an object to a value. */
  Value value(T object) {
    return switch ((Object) object) {
      case Value value -> value;
      case Long number -> new Value.Whole(BigInteger.valueOf(number));
      case Integer number -> new Value.Whole(BigInteger.valueOf(number));
      case Double number -> new Value.Real(number, DOUBLE_PRECISION);
      case Float number -> new Value.Real(number, FLOAT_PRECISION);
      case String text -> new Value.Text(text);
      case byte[] bytes -> new Value.Opaque(Bytes.of(MemorySegment.ofArray(bytes)), "");
      default -> throw unexpected(object.getClass());
    };
  }

  /**
   * Converts a value to an object.
   *
   * @throws ArithmeticException if the class cannot represent the number
   */
  T object(Value value) {
    return java.cast(java.equals(Value.class) ? value : converted(value));
  }

  private Object converted(Value value) {
    return switch (value) {
      case Value.Whole(BigInteger number) -> integer(number);
      case Value.Enumerated named -> integer(BigInteger.valueOf(named.value()));
      case Value.Real real -> real(real.value());
      case Value.Text(String text) -> text;
      case Value.Opaque opaque -> opaque.bytes().segment().toArray(ValueLayout.JAVA_BYTE);
      default -> throw unexpected(value.getClass());
    };
  }

  private Object integer(BigInteger number) {
    if (java.equals(Integer.class)) {
      return number.intValueExact();
    }
    return number.longValueExact();
  }

  private Object real(double number) {
    if (java.equals(Double.class)) {
      return number;
    }
    float near = (float) number;
    if (Double.compare(near, number) != 0) {
      throw new ArithmeticException("the number is no float: number=" + number);
    }
    return near;
  }

  private IllegalArgumentException unexpected(Class<?> actual) {
    return new IllegalArgumentException(
        "class of an object: expected=" + java.getName() + " actual=" + actual.getName());
  }
}
