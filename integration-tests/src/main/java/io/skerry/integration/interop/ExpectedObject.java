package io.skerry.integration.interop;

import io.skerry.datatype.Datatype;
import io.skerry.integration.random.PickedElements;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The expected state of an object; it changes only while the plan is generated. */
abstract sealed class ExpectedObject {
  /** Attributes by name. */
  final Map<String, ExpectedAttribute> attributes = new TreeMap<>();

  /**
   * An attribute.
   *
   * @param shape the shape; empty for an attribute with a null dataspace
   */
  record ExpectedAttribute(Datatype type, Optional<Shape> shape, List<Value> values) {}

  ExpectedAttribute attribute(String name) {
    return Optional.ofNullable(attributes.get(name)).orElseThrow();
  }

  /** A link, without its name. */
  sealed interface Entry {}

  /** A hard link. */
  record Hard(ExpectedObject object) implements Entry {}

  /** A soft link. */
  record Soft(String target) implements Entry {}

  /** A link to another file. */
  record External(String file, String target) implements Entry {}

  /** A group. */
  static final class ExpectedGroup extends ExpectedObject {
    final Map<String, Entry> links = new TreeMap<>();

    Entry link(String name) {
      return Optional.ofNullable(links.get(name)).orElseThrow();
    }
  }

  /** A committed datatype. */
  static final class ExpectedType extends ExpectedObject {
    final Datatype type;

    ExpectedType(Datatype type) {
      this.type = type;
    }
  }

  /**
   * A dataset. Elements that were never written have the fill value or, if there is none, consist
   * of zero bytes.
   */
  static final class ExpectedDataset extends ExpectedObject {
    final Datatype type;
    final Optional<Value> fill;
    final boolean isNull;
    private Shape shape;
    private Map<Long, Value> written = new HashMap<>();

    ExpectedDataset(Datatype type, Shape shape, Optional<Value> fill, boolean isNull) {
      this.type = type;
      this.shape = shape;
      this.fill = fill;
      this.isNull = isNull;
    }

    Shape shape() {
      return shape;
    }

    void write(PickedElements pick, List<Value> values) {
      for (int i = 0; i < values.size(); i++) {
        written.put(pick.elements()[i], values.get(i));
      }
    }

    /** Changes the extent; elements outside the new extent are removed. */
    void resize(long... extent) {
      Map<Long, Value> kept = new HashMap<>();
      long[] old = shape.extent();
      written.forEach((index, value) -> {
        long rest = index;
        long scale = 1;
        long to = 0;
        boolean inside = true;
        for (int d = old.length - 1; d >= 0; d--) {
          long at = rest % old[d];
          rest /= old[d];
          inside &= at < extent[d];
          to += at * scale;
          scale *= extent[d];
        }
        if (inside) {
          kept.put(to, value);
        }
      });
      written = kept;
      shape = shape.withExtent(extent);
    }

    /**
     * Returns all elements in row-major order.
     *
     * @param zeros the value of an element whose bytes are all zero
     */
    List<Value> elements(Value zeros) {
      List<Value> all = new ArrayList<>();
      for (long i = 0; i < shape.elements(); i++) {
        all.add(written.getOrDefault(i, fill.orElse(zeros)));
      }
      return all;
    }
  }
}
