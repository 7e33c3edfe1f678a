package io.skerry.format.vds;

import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.OptionalInt;

/**
 * Where some elements of a virtual dataset really are: those of {@code virtual}, in their order,
 * are those of {@code source}, in theirs.
 *
 * @param file the source file; {@code .} is the virtual dataset's own
 * @param dataset path in that file
 * @param source elements of the source dataset
 * @param virtual elements of the virtual dataset
 */
public record VirtualMapping(
    NamePattern file, NamePattern dataset, Selection source, Selection virtual) {
  /** The name of the virtual dataset's own file. */
  public static final String SAME_FILE = ".";

  /** Whether each block of the virtual selection has a source of its own. */
  public boolean isPerBlock() {
    return file.isPerBlock() || dataset.isPerBlock();
  }

  /** The dimension of the virtual dataset that is unlimited; empty if none is. */
  public OptionalInt unlimitedVirtual() {
    return unlimited(virtual);
  }

  /** The dimension of the source that is unlimited; empty if none is. */
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
