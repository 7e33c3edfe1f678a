package io.skerry.internal.dataset;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;

/** Properties of elements that follow from their type. */
public final class Elements {
  private Elements() {}

  /** Returns whether elements contain addresses, which are valid only in their own file. */
  public static boolean leadOutside(Datatype type) {
    return switch (type) {
      case VariableLength _, Reference _ -> true;
      case ArrayType array -> leadOutside(array.base());
      case Compound compound -> compound.members().stream().anyMatch(m -> leadOutside(m.type()));
      default -> false;
    };
  }
}
