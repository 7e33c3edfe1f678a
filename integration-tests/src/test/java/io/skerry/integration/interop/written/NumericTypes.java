package io.skerry.integration.interop.written;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.Signedness;
import java.util.ArrayList;
import java.util.List;

/** The numeric types that NumPy has, too. */
public final class NumericTypes {
  private NumericTypes() {}

  /** A type and its name in NumPy. */
  public record Named(String dtype, Datatype type) {}

  public static final List<Named> ALL = all();

  private static List<Named> all() {
    List<Named> types = new ArrayList<>();
    for (Endian order : List.of(Endian.LITTLE, Endian.BIG)) {
      String mark = order == Endian.LITTLE ? "<" : ">";
      for (int size : new int[] {1, 2, 4, 8}) {
        types.add(new Named(mark + "i" + size, FixedPoint.of(size, Signedness.SIGNED, order)));
        types.add(new Named(mark + "u" + size, FixedPoint.of(size, Signedness.UNSIGNED, order)));
      }
      for (FloatingPoint type : List.of(Datatype.F16, Datatype.F32, Datatype.F64)) {
        types.add(new Named(mark + "f" + type.size(), type.withOrder(order)));
      }
    }
    return types;
  }
}
