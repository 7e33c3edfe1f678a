package io.skerry.internal.dataset.virtual;

import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.PointList;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the defined elements of a virtual dataset: those whose source defines them. If several
 * mappings contain an element, the last mapping whose source exists applies, as in a read. Local.
 *
 * @param shape the extent of the virtual dataset
 */
record VirtualDefined(VirtualParts parts, MappingSources sources, Shape shape) {
  /**
   * The selected elements of one or more consecutive parts, as sets.
   *
   * @param mapped the elements that have a source
   * @param defined the elements that their source defines
   */
  record Mapped(Selection mapped, Selection defined) {
    /** Returns the combination of these parts with later parts, which take precedence. */
    Mapped then(Mapped later) {
      return new Mapped(
          mapped.union(later.mapped), defined.subtract(later.mapped).union(later.defined));
    }

    boolean isAllDefined() {
      return mapped.equals(defined);
    }
  }

  /**
   * The elements of a part, and the source elements that determine which of them are defined.
   *
   * @param part the part
   * @param shape the extent of the virtual dataset
   * @param extent the extent of the source
   * @param mapped the selected elements that have a source, as a set
   * @param from the source elements of the part
   * @param needed the source elements of the selected elements; if the source is dense, all source
   *     elements of the part
   */
  record Question(
      Part part, Shape shape, Shape extent, Selection mapped, Selection from, Selection needed) {
    /**
     * Returns the elements of the part.
     *
     * @param there the needed elements that the source defines
     */
    Mapped answered(Selection there) {
      if (there.equals(needed)) {
        return new Mapped(mapped, mapped);
      }
      // A point list may assign one source element to several virtual elements.
      Selection defined = set(from.project(extent, there, part.virtual(), shape));
      return new Mapped(mapped, defined.intersect(mapped));
    }
  }

  /** Returns the defined elements of a selection. A point selection keeps its order. */
  Selection among(Selection selection) {
    selection.checkWithin(shape);
    Selection resolved = selection.resolve(shape);
    List<Mapped> found = new ArrayList<>();
    boolean unused =
        sources.guarded(() -> {
          parts.forEach(resolved, part -> mapped(part, resolved).ifPresent(found::add));
          return true;
        });
    return among(resolved, found);
  }

  /** Returns the selected elements that are defined according to the given parts. */
  Selection among(Selection resolved, List<Mapped> found) {
    Selection defined = joined(found);
    return resolved instanceof PointList ? resolved.intersect(defined) : defined;
  }

  private Optional<Mapped> mapped(Part part, Selection wanted) {
    return sources.source(part.mapping(), part.block()).map(source -> mapped(part, source, wanted));
  }

  /** Finds the defined elements of a part in its source. */
  Mapped mapped(Part part, SourceDatasets.Source source, Selection wanted) {
    Question question = question(part, source, wanted);
    return source.isDense()
        ? question.answered(question.needed)
        : question.answered(source.defined(question.needed));
  }

  /** Determines the source elements of the selected elements of a part. */
  Question question(Part part, SourceDatasets.Source source, Selection wanted) {
    Shape extent = source.shape();
    Selection from = part.source(source, shape);
    Selection mapped = set(part.virtual().intersect(wanted));
    Selection needed =
        source.isDense() ? from : part.virtual().project(shape, mapped, from, extent);
    return new Question(part, shape, extent, mapped, from, needed);
  }

  /** Returns a resolved selection as a set, without the order of points. */
  private static Selection set(Selection selection) {
    return selection instanceof PointList
        ? SelectionSets.of(SelectionSets.tree(selection))
        : selection;
  }

  private Selection joined(List<Mapped> found) {
    if (found.isEmpty()) {
      return Selection.none();
    }
    Selection mapped = union(found, Mapped::mapped);
    if (found.stream().allMatch(Mapped::isAllDefined)) {
      return mapped;
    }
    long together = found.stream().mapToLong(part -> part.mapped.count(shape)).sum();
    return together == mapped.count(shape) ? union(found, Mapped::defined) : inOrder(found).defined;
  }

  /** Returns the union of selections; if each is a single block, computes it in one sweep. */
  private static Selection union(List<Mapped> found, Function<Mapped, Selection> which) {
    List<Box> blocks = new ArrayList<>(found.size());
    for (Mapped part : found) {
      if (!(which.apply(part) instanceof Hyperslab slab) || !SelectionSets.isOneBlock(slab)) {
        return Selection.unionAll(found.stream().map(which).toList());
      }
      blocks.add(SelectionSets.bounds(slab));
    }
    return Selection.blocks(blocks);
  }

  /** Joins overlapping parts by recursive halving, so that each set is joined only a few times. */
  private static Mapped inOrder(List<Mapped> found) {
    int half = found.size() / 2;
    return half == 0
        ? found.getFirst()
        : inOrder(found.subList(0, half)).then(inOrder(found.subList(half, found.size())));
  }
}
