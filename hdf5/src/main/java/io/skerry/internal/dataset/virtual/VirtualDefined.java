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
  private record Mapped(Selection mapped, Selection defined) {
    /** Returns the combination of these parts with later parts, which take precedence. */
    Mapped then(Mapped later) {
      return new Mapped(
          mapped.union(later.mapped), defined.subtract(later.mapped).union(later.defined));
    }

    boolean isAllDefined() {
      return mapped.equals(defined);
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
    Selection defined = joined(found);
    return resolved instanceof PointList ? resolved.intersect(defined) : defined;
  }

  private Optional<Mapped> mapped(Part part, Selection wanted) {
    Optional<SourceDatasets.Source> found = sources.source(part.mapping(), part.block());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    SourceDatasets.Source source = found.get();
    Shape extent = source.shape();
    Selection virtual = part.virtual();
    Selection from = part.source(source, shape);
    Selection mapped = set(virtual.intersect(wanted));
    if (source.isDense()) {
      return Optional.of(new Mapped(mapped, mapped));
    }
    Selection needed = virtual.project(shape, mapped, from, extent);
    Selection there = source.defined(needed);
    if (there.equals(needed)) {
      return Optional.of(new Mapped(mapped, mapped));
    }
    // A point list may assign one source element to several virtual elements.
    Selection defined = set(from.project(extent, there, virtual, shape)).intersect(mapped);
    return Optional.of(new Mapped(mapped, defined));
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
