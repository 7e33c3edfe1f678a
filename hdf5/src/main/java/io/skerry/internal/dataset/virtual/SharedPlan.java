package io.skerry.internal.dataset.virtual;

import io.skerry.collective.wire.SourceDeal;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.internal.dataset.Elements;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The elements of a virtual dataset that one rank wants, by source.
 *
 * @param wanted the selected elements
 * @param alone the parts that the rank reads by itself, whatever other ranks want: those with an
 *     extent that depends on the source, and all parts if they overlap or if the values do not
 *     replace all bytes of the buffer
 * @param shared the other parts, by the name of the source
 */
record SharedPlan(Wanted wanted, List<Item> alone, Map<String, List<Item>> shared) {
  /** The plan of a rank that wants nothing. */
  static final SharedPlan NONE =
      new SharedPlan(new Wanted(Runs.of(List.of()), Runs.of(List.of())), List.of(), Map.of());

  /**
   * Some elements of a part.
   *
   * @param want the elements, with their places in the values that the rank reads
   */
  record Item(Part part, Want want) {}

  /**
   * Lists the elements of a selection.
   *
   * @param slice the greatest number of elements of an item; all ranks cut at the same elements
   */
  static SharedPlan of(Selection selection, VirtualReader reader, long slice) {
    Wanted wanted = Wanted.of(selection, reader.shape());
    List<Item> alone = new ArrayList<>();
    List<Item> all = new ArrayList<>();
    Runs once = wanted.once();
    List<Piece> taken = new ArrayList<>();
    reader
        .parts()
        .forEach(
            selection,
            part -> {
              List<Piece> pieces = Piece.of(part.virtual(), reader.shape(), once);
              all.add(new Item(part, new Want(id(part, 0), pieces)));
              taken.addAll(pieces);
            });
    Map<String, List<Item>> shared = new LinkedHashMap<>();
    boolean separate = isShareable(reader.type()) && !overlap(taken);
    String kind = "\n" + Integer.toHexString((reader.type() + " " + reader.shape()).hashCode());
    for (Item item : all) {
      Part part = item.part();
      boolean fixed = part.mapping().isPerBlock() || part.mapping().unlimitedVirtual().isEmpty();
      if (separate && fixed && !item.want().pieces().isEmpty()) {
        shared
            .computeIfAbsent(sourceName(part) + kind, _ -> new ArrayList<>())
            .addAll(cut(item, slice));
      } else {
        alone.add(item);
      }
    }
    return new SharedPlan(wanted, alone, shared);
  }

  /** Returns whether values of a type replace all bytes of an element of the buffer. */
  private static boolean isShareable(Datatype type) {
    return !(type instanceof Compound || type instanceof ArrayType || Elements.leadOutside(type));
  }

  private static String sourceName(Part part) {
    return part.mapping().file().name(part.block())
        + "\n"
        + part.mapping().dataset().name(part.block());
  }

  private static Want.Id id(Part part, long slice) {
    return new Want.Id(part.number(), part.block(), slice);
  }

  /** Returns whether two parts contain the same element; the later part then determines it. */
  private static boolean overlap(List<Piece> taken) {
    List<Piece> ordered = new ArrayList<>(taken);
    ordered.sort((a, b) -> Long.compare(a.place(), b.place()));
    long end = 0;
    for (Piece piece : ordered) {
      if (piece.place() < end) {
        return true;
      }
      end = piece.place() + piece.length();
    }
    return false;
  }

  private static List<Item> cut(Item item, long slice) {
    Map<Long, List<Piece>> slices = new LinkedHashMap<>();
    for (Piece piece : item.want().pieces()) {
      long end = piece.number() + piece.length();
      long first = piece.number();
      while (first < end) {
        long number = first / slice;
        long stop = Math.min(end, (number + 1) * slice);
        slices
            .computeIfAbsent(number, _ -> new ArrayList<>())
            .add(new Piece(first, piece.place() + first - piece.number(), stop - first));
        first = stop;
      }
    }
    List<Item> items = new ArrayList<>();
    slices.forEach((number, pieces) ->
        items.add(new Item(item.part(), new Want(id(item.part(), number), pieces))));
    return items;
  }

  /** Returns the sources that the rank may share with others. */
  List<SourceDeal.Source> sources() {
    List<SourceDeal.Source> sources = new ArrayList<>();
    shared.forEach((name, items) ->
        sources.add(
            new SourceDeal.Source(
                name,
                items.stream().mapToLong(item -> Want.elements(item.want().pieces())).sum())));
    return sources;
  }

  /** Returns the items of each source, in the order of {@link #sources}. */
  List<List<Item>> items() {
    return List.copyOf(shared.values());
  }
}
