package io.skerry.integration.random;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.format.block.Widths;
import io.skerry.internal.value.ValueWriter;
import io.skerry.value.Value;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Encodes values that are stored entirely within their element. */
public final class FillBytes {
  private FillBytes() {}

  /** Returns whether the elements of a type contain the whole value, with no content elsewhere. */
  public static boolean fits(Datatype type) {
    return switch (type) {
      case VariableLength _, Reference _ -> false;
      case ArrayType array -> fits(array.base());
      case Compound compound -> compound.members().stream().allMatch(m -> fits(m.type()));
      default -> true;
    };
  }

  /** Returns the bytes of a value; {@link #fits} must return true for its type. */
  public static byte[] of(Datatype type, Value value) {
    ValueWriter writer =
        new ValueWriter(
            Widths.EIGHT,
            _ -> {
              throw new IllegalArgumentException("a value of variable length: type=" + type);
            });
    return writer.writeAll(type, List.of(value)).toArray(ValueLayout.JAVA_BYTE);
  }
}
