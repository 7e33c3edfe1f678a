package io.skerry;

import io.skerry.chunk.type.ArrayType;
import io.skerry.chunk.type.Compound;
import io.skerry.chunk.type.Datatype;
import io.skerry.chunk.type.Reference;
import io.skerry.chunk.type.VariableLength;

/** What can be told of elements from their type. */
final class Elements {
  private Elements() {}

  /** Whether elements hold addresses, which mean something in their own file only. */
  static boolean leadOutside(Datatype type) {
    return switch (type) {
      case VariableLength _, Reference _ -> true;
      case ArrayType array -> leadOutside(array.base());
      case Compound compound -> compound.members().stream().anyMatch(m -> leadOutside(m.type()));
      default -> false;
    };
  }
}
