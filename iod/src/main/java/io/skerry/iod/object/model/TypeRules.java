package io.skerry.iod.object.model;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ValueChanges;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Checks that a container can hold given datatypes. Local, thread-safe. */
public final class TypeRules {
  private TypeRules() {}

  /**
   * Checks the datatype of elements. Variable-length parts and region references may be members of
   * compound and array types, but the content of variable-length parts must not have such parts
   * itself.
   *
   * @param where the object or argument that has the type
   * @throws UnsupportedFeatureException if a variable-length type or region reference is nested in
   *     a variable-length type, or does not have the size that it has in a file with addresses of 8
   *     bytes
   */
  public static void check(Datatype type, String where) {
    switch (type) {
      case VariableLength variable -> {
        requireSize(type, VariableCell.SIZE, where);
        if (!CellPart.of(variable.base()).isEmpty()) {
          throw new UnsupportedFeatureException(
              "variable-length type or region reference nested in a variable-length type", where);
        }
      }
      case Reference reference when reference.kind() == Reference.Kind.REGION ->
          requireSize(type, CellPart.Kind.REGION.size(), where);
      case Reference reference when reference.kind() == Reference.Kind.OBJECT ->
          requireSize(type, Long.BYTES, where);
      case ArrayType array -> check(array.base(), where);
      case Compound compound -> compound.members().forEach(member -> check(member.type(), where));
      default -> {}
    }
  }

  /**
   * Checks the datatype and the fill value of a dataset.
   *
   * @throws UnsupportedFeatureException in the cases of {@link #check}, if sparse or structured
   *     chunks have region references, or if a part of the fill value has variable-length content
   *     or is a region reference that is not null
   */
  public static void checkElements(DatasetSpec spec) {
    Datatype type = spec.datatype();
    check(type, "datatype of a dataset");
    List<CellPart> parts = CellPart.of(type);
    DatasetSpec.Storage storage = spec.resolvedStorage();
    if ((storage == DatasetSpec.Storage.SPARSE || storage == DatasetSpec.Storage.STRUCTURED)
        && parts.stream().anyMatch(part -> part.kind() == CellPart.Kind.REGION)) {
      throw new UnsupportedFeatureException(
          "region references in sparse or structured chunks", "datatype of a dataset");
    }
    spec.fill()
        .map(MemorySegment::ofArray)
        .ifPresent(fill -> {
          for (CellPart part : parts) {
            if (!HeapBytes.isZeros(fill.asSlice(part.offset(), part.kind().size()))) {
              throw new UnsupportedFeatureException(
                  "content of variable length or a region reference", "fill value of a dataset");
            }
          }
        });
  }

  private static void requireSize(Datatype type, int size, String where) {
    if (type.size() != size) {
      throw new UnsupportedFeatureException(
          "size of type " + type + ": expected=" + size + " actual=" + type.size(), where);
    }
  }

  /**
   * Checks the datatype of the keys of a map.
   *
   * @throws UnsupportedFeatureException if a variable-length type is a part of another type, the
   *     type contains references, or an element has more bytes than the longest key
   */
  public static void checkKey(Datatype type, String where) {
    check(type, where);
    if (hasReference(type)) {
      throw new UnsupportedFeatureException("references in the keys of a map", where);
    }
    if (!(type instanceof VariableLength) && !CellPart.of(type).isEmpty()) {
      throw new UnsupportedFeatureException(
          "variable-length type as a part of another type in the keys of a map", where);
    }
    requireAtMost(Place.LONGEST_KEY, type, where);
  }

  /**
   * Checks the datatype of the values of a map.
   *
   * @throws UnsupportedFeatureException if a variable-length type is nested in another one, the
   *     type contains region references, or an element has more bytes than the largest value
   */
  public static void checkMapValue(Datatype type, String where) {
    check(type, where);
    if (CellPart.of(type).stream().anyMatch(part -> part.kind() == CellPart.Kind.REGION)) {
      throw new UnsupportedFeatureException("region references in the values of a map", where);
    }
    requireAtMost(ValueChanges.LARGEST_VALUE, type, where);
  }

  private static void requireAtMost(long most, Datatype type, String where) {
    if (type.size() > most) {
      throw new UnsupportedFeatureException(
          "size of type " + type + ": expected=at most " + most + " actual=" + type.size(), where);
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
