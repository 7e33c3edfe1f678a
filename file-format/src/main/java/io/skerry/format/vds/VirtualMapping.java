package io.skerry.format.vds;

import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.OptionalInt;

/**
 * One mapping of a virtual dataset: the elements selected by {@code virtual}, in selection order,
 * are stored as the elements selected by {@code source}.
 *
 * @param file the name of the source file; {@code .} is the file of the virtual dataset
 * @param dataset the path of the source dataset in that file
 * @param source the selection of elements of the source dataset
 * @param virtual the selection of elements of the virtual dataset
 */
public record VirtualMapping(
    NamePattern file, NamePattern dataset, Selection source, Selection virtual) {
  /** The name that refers to the file of the virtual dataset itself. */
  public static final String SAME_FILE = ".";

  /** Returns whether each block of the virtual selection is stored in a separate source. */
  public boolean isPerBlock() {
    return file.isPerBlock() || dataset.isPerBlock();
  }

  /** Returns the dimension in which the virtual selection is unlimited; empty if there is none. */
  public OptionalInt unlimitedVirtual() {
    return unlimited(virtual);
  }

  /** Returns the dimension in which the source selection is unlimited; empty if there is none. */
  public OptionalInt unlimitedSource() {
    return unlimited(source);
  }

  private static OptionalInt unlimited(Selection selection) {
    if (selection instanceof Hyperslab slab) {
      for (int d = 0; d < slab.dimensions(); d++) {
        if (slab.countAt(d) == Shape.UNLIMITED || slab.blockAt(d) == Shape.UNLIMITED) {
          return OptionalInt.of(d);
        }
      }
    }
    return OptionalInt.empty();
  }
}
