package io.skerry.iod.object.model;

import io.skerry.chunk.datatype.VariableLengthParts;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;

/** The datatypes that a container can hold. Local, thread-safe. */
public final class TypeRules {
  private TypeRules() {}

  /**
   * Checks the datatype of elements. Variable-length parts may be members of compound and array
   * types, but their content must not have such parts itself.
   *
   * @param where the object or argument that has the type
   * @throws UnsupportedFeatureException if a variable-length type is nested in another one
   */
  public static void check(Datatype type, String where) {
    VariableLengthParts.of(type)
        .forEach(
            0,
            (part, _) -> {
              if (!part.inner().isNone()) {
                throw new UnsupportedFeatureException(
                    "variable-length type nested in another one", where);
              }
            });
  }

  /**
   * Checks the datatype of the keys of a map.
   *
   * @throws UnsupportedFeatureException if a variable-length type is nested in another one, or if
   *     the type contains references
   */
  public static void checkKey(Datatype type, String where) {
    check(type, where);
    if (hasReference(type)) {
      throw new UnsupportedFeatureException("references in the keys of a map", where);
    }
  }

  private static boolean hasReference(Datatype type) {
    return switch (type) {
      case Reference _ -> true;
      case ArrayType array -> hasReference(array.base());
      case VariableLength variable -> hasReference(variable.base());
      case Compound compound ->
          compound.members().stream().anyMatch(member -> hasReference(member.type()));
      default -> false;
    };
  }
}
