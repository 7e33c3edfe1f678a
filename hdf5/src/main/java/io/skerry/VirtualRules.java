package io.skerry;

import io.skerry.selection.AllSelection;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.NoneSelection;
import io.skerry.selection.PointList;
import io.skerry.selection.Region;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Checks the mappings of virtual datasets against the rules of {@code H5Pset_virtual}. */
final class VirtualRules {
  private VirtualRules() {}

  /** Checks a mapping against the rules that do not depend on the extent of the virtual dataset. */
  static void check(VirtualLayout.Mapping mapping) {
    Selection virtual = mapping.virtual();
    Selection source = mapping.source().selection();
    boolean fileOfBlock = isPerBlock("file", mapping.source().file());
    boolean datasetOfBlock = isPerBlock("dataset", mapping.source().dataset());
    boolean perBlock = fileOfBlock || datasetOfBlock;
    checkForm("virtual", virtual, mapping);
    checkForm("source", source, mapping);
    boolean growing = unlimited(virtual).isPresent();
    boolean sourceGrowing = unlimited(source).isPresent();
    if (sourceGrowing && !growing) {
      throw refused("a source can be unlimited only if the virtual selection is", mapping);
    }
    if (perBlock && (!growing || sourceGrowing)) {
      throw refused(
          "a name with %b needs an unlimited virtual and a limited source selection", mapping);
    }
    if (growing && !sourceGrowing && !perBlock) {
      throw refused(
          "an unlimited virtual selection of a limited source needs a name with %b", mapping);
    }
    OptionalLong expected = perBlock ? elementsOfBlock(virtual, mapping) : elements(virtual);
    checkEqual(expected, elements(source), mapping);
  }

  /**
   * Checks a mapping of a virtual dataset with the given extent.
   *
   * @throws IllegalArgumentException if {@link #check} refuses the mapping, the virtual selection
   *     differs in rank from the dataset or exceeds the extent in a limited dimension, or the
   *     numbers of elements differ
   */
  static void checkWithin(VirtualLayout.Mapping mapping, Shape shape) {
    check(mapping);
    Selection virtual = mapping.virtual();
    OptionalInt rank = virtual.rank();
    if (rank.isPresent() && rank.getAsInt() != shape.rank()) {
      throw refused(
          "the virtual selection has another rank than the dataset: expected="
              + shape.rank()
              + " actual="
              + rank.getAsInt(),
          mapping);
    }
    OptionalInt growing = unlimited(virtual);
    if (virtual instanceof AllSelection) {
      checkEqual(
          OptionalLong.of(shape.elements()), elements(mapping.source().selection()), mapping);
    } else if (growing.isEmpty()) {
      checkExtent(virtual, shape, mapping);
    } else if (virtual instanceof Hyperslab slab) {
      for (int d = 0; d < slab.dimensions(); d++) {
        if (d != growing.getAsInt() && endAt(slab, d) > shape.extent(d)) {
          throw refused(
              "the virtual selection exceeds the extent: dimension="
                  + d
                  + " end="
                  + endAt(slab, d)
                  + " extent="
                  + shape.extent(d),
              mapping);
        }
      }
    }
  }

  private static void checkExtent(Selection virtual, Shape shape, VirtualLayout.Mapping mapping) {
    try {
      virtual.checkWithin(shape);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + " mapping=" + mapping.source(), e);
    }
  }

  private static boolean isPerBlock(String what, String name) {
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the name of a source must have characters, and none of them NUL: "
              + what
              + "="
              + name.replace('\0', '?'));
    }
    boolean found = false;
    for (int at = name.indexOf('%'); at >= 0; at = name.indexOf('%', at + 2)) {
      char next = at + 1 < name.length() ? name.charAt(at + 1) : ' ';
      if (next != 'b' && next != '%') {
        throw new IllegalArgumentException(
            "a percent sign in the name of a source is followed by b or %: " + what + "=" + name);
      }
      found |= next == 'b';
    }
    return found;
  }

  private static void checkForm(String what, Selection selection, VirtualLayout.Mapping mapping) {
    if (selection instanceof PointList) {
      throw refused("the " + what + " selection of a mapping cannot be a list of points", mapping);
    }
    if (selection instanceof Hyperslab slab && SelectionSets.unlimitedDimensions(slab) > 1) {
      throw refused(
          "the " + what + " selection of a mapping is unlimited in more than one dimension",
          mapping);
    }
  }

  private static void checkEqual(
      OptionalLong virtual, OptionalLong source, VirtualLayout.Mapping mapping) {
    if (virtual.isPresent() && source.isPresent() && virtual.getAsLong() != source.getAsLong()) {
      throw refused(
          "the selections of a mapping differ in elements: virtual="
              + virtual.getAsLong()
              + " source="
              + source.getAsLong(),
          mapping);
    }
  }

  private static IllegalArgumentException refused(String why, VirtualLayout.Mapping mapping) {
    return new IllegalArgumentException(
        why + ": mapping=" + mapping.virtual() + " to " + mapping.source());
  }

  /** Returns the dimension in which a selection is unlimited; empty if there is none. */
  private static OptionalInt unlimited(Selection selection) {
    if (selection instanceof Hyperslab slab) {
      for (int d = 0; d < slab.dimensions(); d++) {
        if (isUnlimited(slab, d)) {
          return OptionalInt.of(d);
        }
      }
    }
    return OptionalInt.empty();
  }

  private static boolean isUnlimited(Hyperslab slab, int d) {
    return slab.countAt(d) == Shape.UNLIMITED || slab.blockAt(d) == Shape.UNLIMITED;
  }

  /**
   * Returns the number of elements of a selection, or of one slice of an unlimited selection; empty
   * if the selection is the entire dataset, whose extent is unknown.
   */
  private static OptionalLong elements(Selection selection) {
    return switch (selection) {
      case AllSelection _ -> OptionalLong.empty();
      case NoneSelection _ -> OptionalLong.of(0);
      case Region region -> OptionalLong.of(SelectionSets.tree(region).count());
      case PointList points -> OptionalLong.of(points.size());
      case Hyperslab slab -> {
        long product = 1;
        for (int d = 0; d < slab.dimensions(); d++) {
          product = Math.multiplyExact(product, isUnlimited(slab, d) ? 1 : elementsAt(slab, d));
        }
        yield OptionalLong.of(product);
      }
    };
  }

  /** Returns the number of elements of one block of an unlimited selection. */
  private static OptionalLong elementsOfBlock(Selection virtual, VirtualLayout.Mapping mapping) {
    Hyperslab slab = (Hyperslab) virtual;
    long block = slab.blockAt(unlimited(virtual).orElseThrow());
    if (block == Shape.UNLIMITED) {
      throw refused("one source per block needs blocks of limited size", mapping);
    }
    return OptionalLong.of(Math.multiplyExact(elements(virtual).orElseThrow(), block));
  }

  /** Returns the number of selected indices of a limited dimension. */
  private static long elementsAt(Hyperslab slab, int d) {
    boolean apart = slab.blockAt(d) <= slab.strideAt(d) || slab.countAt(d) == 0;
    return apart
        ? Math.multiplyExact(slab.countAt(d), slab.blockAt(d))
        : endAt(slab, d) - slab.startAt(d);
  }

  private static long endAt(Hyperslab slab, int d) {
    return slab.startAt(d) + (slab.countAt(d) - 1) * slab.strideAt(d) + slab.blockAt(d);
  }
}
