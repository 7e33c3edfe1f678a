package io.skerry.internal.dataset.virtual;

import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.Runs;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The elements of a virtual dataset that this rank needs, grouped by part.
 *
 * @param wanted the selected elements
 * @param items the parts, in the order of their mappings
 * @param order the constraint on the order in which the parts are read
 */
record WantedParts(Wanted wanted, List<Item> items, Order order) {
  /** The order in which parts must be read. */
  enum Order {
    /** Parts overlap, and the values of a source do not replace all bytes of an element. */
    FIXED,
    /** No element is in two items that have a source, or twice in one of them. */
    ANY
  }

  /** The parts of a rank that reads nothing. */
  static final WantedParts NONE =
      new WantedParts(new Wanted(Runs.of(List.of()), Runs.of(List.of())), List.of(), Order.ANY);

  /**
   * The needed elements of a part.
   *
   * @param pieces the elements, with their places in the values that this rank reads
   */
  record Item(Part part, List<Piece> pieces) {}

  /**
   * Lists the parts of a selection. If several parts with an existing source contain an element,
   * only the last of them keeps it, unless the order is {@link Order#FIXED}.
   *
   * @param all the parts of the virtual dataset
   * @param replaces a predicate that is true if the values of a source replace all bytes of an
   *     element
   */
  static WantedParts of(
      Selection selection, VirtualParts all, Predicate<SourceDatasets.Source> replaces) {
    Wanted wanted = Wanted.of(selection, all.shape());
    List<Item> items = new ArrayList<>();
    all.forEach(
        selection, part -> items.add(new Item(part, part.pieces(all.shape(), wanted.once()))));
    if (!overlap(items)) {
      return new WantedParts(wanted, items, Order.ANY);
    }
    Optional<List<Item>> visible = visible(items, all.sources(), replaces);
    return visible.isPresent()
        ? new WantedParts(wanted, visible.get(), Order.ANY)
        : new WantedParts(wanted, items, Order.FIXED);
  }

  /** Returns whether an element is in two parts, or twice in one. */
  private static boolean overlap(List<Item> items) {
    List<Piece> ordered = new ArrayList<>();
    items.forEach(item -> ordered.addAll(item.pieces));
    ordered.sort(Comparator.comparingLong(Piece::place));
    long end = 0;
    for (Piece piece : ordered) {
      if (piece.place() < end) {
        return true;
      }
      end = piece.place() + piece.length();
    }
    return false;
  }

  /**
   * Returns the items without the elements that a later item with a source contains, and each
   * element of an item once. Items without a source are unchanged. Empty if a source does not
   * replace all bytes of its elements.
   */
  private static Optional<List<Item>> visible(
      List<Item> items, MappingSources sources, Predicate<SourceDatasets.Source> replaces) {
    Covered covered = new Covered();
    List<Item> visible = new ArrayList<>();
    for (Item item : items.reversed()) {
      Optional<SourceDatasets.Source> source =
          sources.source(item.part.mapping(), item.part.block());
      if (source.isEmpty()) {
        visible.add(item);
        continue;
      }
      if (!replaces.test(source.get())) {
        return Optional.empty();
      }
      visible.add(new Item(item.part, covered.cover(item.pieces)));
    }
    return Optional.of(visible.reversed());
  }

  /** Disjoint ranges of places, by their starts. */
  private static final class Covered {
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    /**
     * Covers the pieces of a part, and returns those of their elements that were not covered
     * before, in the order of the part. If a point list contains an element repeatedly, the last
     * occurrence counts.
     */
    List<Piece> cover(List<Piece> pieces) {
      List<List<Piece>> left = new ArrayList<>();
      for (Piece piece : pieces.reversed()) {
        List<Piece> some = new ArrayList<>();
        cut(piece, some);
        add(piece);
        left.add(some);
      }
      return left.reversed().stream().flatMap(List::stream).toList();
    }

    /** Appends the parts of a piece that are not covered. */
    private void cut(Piece piece, List<Piece> out) {
      long at = piece.place();
      long end = at + piece.length();
      Map.Entry<Long, Long> range = ends.floorEntry(at);
      if (range != null) {
        at = Math.max(at, range.getValue());
      }
      while (at < end) {
        Map.Entry<Long, Long> next = ends.ceilingEntry(at);
        long stop = next == null ? end : Math.min(end, next.getKey());
        if (at < stop) {
          out.add(new Piece(piece.number() + at - piece.place(), at, stop - at));
        }
        at = next == null ? end : Math.max(stop, next.getValue());
      }
    }

    private void add(Piece piece) {
      long start = piece.place();
      long end = start + piece.length();
      Map.Entry<Long, Long> range = ends.floorEntry(end);
      while (range != null && range.getValue() >= start) {
        start = Math.min(start, range.getKey());
        end = Math.max(end, range.getValue());
        ends.remove(range.getKey());
        range = ends.floorEntry(end);
      }
      ends.put(start, end);
    }
  }

  /**
   * Returns the names of the sources that other ranks may read for this rank, without duplicates.
   */
  List<String> names() {
    if (order == Order.FIXED) {
      return List.of();
    }
    return items.stream().map(item -> item.part.sourceName()).distinct().toList();
  }

  /**
   * Returns the names of the sources that other ranks may need too.
   *
   * @param elsewhere for each of {@link #names}, true if another rank may need the source
   */
  Set<String> shared(boolean[] elsewhere) {
    List<String> names = names();
    Set<String> shared = new HashSet<>();
    for (int i = 0; i < elsewhere.length; i++) {
      if (elsewhere[i]) {
        shared.add(names.get(i));
      }
    }
    return shared;
  }
}
