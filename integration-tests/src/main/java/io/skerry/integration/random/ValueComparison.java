package io.skerry.integration.random;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.Arrays;
import java.util.List;

/** Compares read values with written values; precision and addresses are ignored. */
public final class ValueComparison {
  /** The dataspace of the regions in references; the regions are one-dimensional. */
  private static final Shape REGION_SPACE = Shape.of(1 << 20);

  private ValueComparison() {}

  /** Returns whether a read value equals the written one. */
  public static boolean test(Value written, Value read) {
    return switch (written) {
      case Value.Real(double value, _) ->
          read instanceof Value.Real(double other, _) && Double.compare(value, other) == 0;
      case Value.Complex complex ->
          read instanceof Value.Complex other
              && test(complex.real(), other.real())
              && test(complex.imaginary(), other.imaginary());
      case Value.Compound(List<Value.Field> fields) ->
          read instanceof Value.Compound other
              && other.fields().size() == fields.size()
              && fields.stream()
                  .allMatch(f ->
                      other.field(f.name()).filter(value -> test(f.value(), value)).isPresent());
      case Value.Array(List<Integer> dimensions, List<Value> elements) ->
          read instanceof Value.Array other
              && dimensions.equals(other.dimensions())
              && all(elements, other.elements());
      case Value.Sequence(List<Value> elements) ->
          read instanceof Value.Sequence other && all(elements, other.elements());
      case Value.ObjectReference(Value.Target target) ->
          read instanceof Value.ObjectReference(Value.Target other)
              && target.path().equals(other.path());
      case Value.RegionReference(Value.Target target, Selection region) ->
          read instanceof Value.RegionReference(Value.Target other, Selection found)
              && target.path().equals(other.path())
              && Arrays.equals(
                  region.toCoordinates(REGION_SPACE), found.toCoordinates(REGION_SPACE));
      default -> written.equals(read);
    };
  }

  public static boolean all(List<Value> written, List<Value> read) {
    if (written.size() != read.size()) {
      return false;
    }
    for (int i = 0; i < written.size(); i++) {
      if (!test(written.get(i), read.get(i))) {
        return false;
      }
    }
    return true;
  }
}
