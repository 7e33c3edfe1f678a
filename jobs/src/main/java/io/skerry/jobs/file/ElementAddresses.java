package io.skerry.jobs.file;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;

/** Determines whether elements refer to other data in their file by address. */
public final class ElementAddresses {
  private ElementAddresses() {}

  /** Returns whether elements of a datatype contain variable-length data or references. */
  public static boolean areIn(Datatype type) {
    return switch (type) {
      case VariableLength _, Reference _ -> true;
      case ArrayType array -> areIn(array.base());
      case Compound compound ->
          compound.members().stream().anyMatch(member -> areIn(member.type()));
      default -> false;
    };
  }
}
