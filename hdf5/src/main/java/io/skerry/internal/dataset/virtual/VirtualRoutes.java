package io.skerry.internal.dataset.virtual;

import io.skerry.NoSuchObjectException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.through.Coverage;
import io.skerry.internal.dataset.through.PackedRuns;
import io.skerry.internal.dataset.through.SourceChange;
import io.skerry.internal.dataset.through.SourcePart;
import io.skerry.selection.PointList;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Assigns elements of a virtual dataset to the sources in which a change of them is made: each to
 * the last mapping that contains it, from which it is read. If a source is virtual itself, its
 * elements are assigned to its sources. Local.
 *
 * @param own the sources in the file of the dataset
 * @param dataset the virtual dataset
 */
record VirtualRoutes(
    VirtualParts parts,
    MappingSources sources,
    OwnSources own,
    NativeDataset dataset,
    SourceChange change) {
  /**
   * Returns the elements of the sources, those of later mappings first.
   *
   * @param selection the elements of the virtual dataset
   */
  List<SourcePart> of(Selection selection) {
    Runs wanted = wanted(selection, parts.shape());
    Coverage covered = new Coverage();
    List<SourcePart> found = new ArrayList<>();
    return sources.guarded(() -> {
      List<Part> met = new ArrayList<>();
      parts.forEach(selection, met::add);
      met.reversed().forEach(part -> part(part, wanted, covered, found));
      if (change.needsSources()) {
        requireAll(wanted, covered);
      }
      return found;
    });
  }

  /** Returns the selected elements, each with the position of its last value. */
  private static Runs wanted(Selection selection, Shape shape) {
    Wanted wanted = Wanted.of(selection, shape);
    if (wanted.repeated().isEmpty()) {
      return wanted.once();
    }
    List<long[]> all = new ArrayList<>();
    long[] place = {0};
    selection.forEachRun(
        shape,
        (at, length) -> {
          all.add(new long[] {Runs.linear(at, shape), length, place[0]});
          place[0] += length;
        });
    Coverage covered = new Coverage();
    List<long[]> last = new ArrayList<>();
    for (long[] run : all.reversed()) {
      long end = run[0] + run[1];
      covered.forEachGap(
          run[0],
          end,
          (first, length) -> last.add(new long[] {first, length, run[2] + first - run[0]}));
      covered.add(run[0], end);
    }
    last.sort((a, b) -> Long.compare(a[0], b[0]));
    return Runs.of(last);
  }

  private void part(Part part, Runs wanted, Coverage covered, List<SourcePart> found) {
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : Piece.of(part.virtual(), parts.shape(), wanted)) {
      covered.forEachGap(
          piece.place(),
          piece.place() + piece.length(),
          (at, length) -> pieces.add(new Piece(piece.number() + at - piece.place(), at, length)));
    }
    if (pieces.isEmpty()) {
      return;
    }
    Optional<NativeDataset> source = own.find(part, sources);
    if (source.isEmpty()) {
      if (change.needsSources()) {
        throw missing(part);
      }
      return;
    }
    pieces.forEach(piece -> covered.add(piece.place(), piece.place() + piece.length()));
    add(source.get(), part, pieces, found);
  }

  private void add(NativeDataset source, Part part, List<Piece> pieces, List<SourcePart> found) {
    Selection needed = needed(source.shape(), part.source(source, parts.shape()), pieces);
    PackedRuns.Builder places = new PackedRuns.Builder();
    pieces.forEach(piece -> places.append(piece.place(), piece.length()));
    PackedRuns outer = places.build();
    if (source.opened() instanceof Storage.Virtual(MappedContent nested)) {
      nested
          .routes(source, needed, change, own.of(source))
          .forEach(inner -> found.add(inner.within(outer)));
    } else {
      change.check(source);
      found.add(SourcePart.of(source, needed, outer));
    }
  }

  /** Returns the source elements of pieces; a list of points keeps its order. */
  private static Selection needed(Shape extent, Selection from, List<Piece> pieces) {
    if (!(from instanceof PointList points)) {
      return Piece.needed(extent, from, pieces);
    }
    List<long[]> needed = new ArrayList<>();
    for (Piece piece : pieces) {
      for (long i = piece.number(); i < piece.number() + piece.length(); i++) {
        long[] point = new long[points.dimensions()];
        for (int d = 0; d < point.length; d++) {
          point[d] = points.coordinate((int) i, d);
        }
        needed.add(point);
      }
    }
    return Selection.points(needed.toArray(long[][]::new));
  }

  private NoSuchObjectException missing(Part part) {
    String name =
        part.mapping().file().name(part.block())
            + ":"
            + part.mapping().dataset().name(part.block());
    return new NoSuchObjectException(
        "a source of a virtual dataset is missing: source=" + name,
        sources.path(),
        dataset.file().path().toString(),
        1);
  }

  private void requireAll(Runs wanted, Coverage covered) {
    long[] unmapped = {0, 0};
    for (int i = 0; i < wanted.start().length; i++) {
      long start = wanted.start()[i];
      long place = wanted.place()[i];
      covered.forEachGap(
          place,
          place + wanted.length()[i],
          (at, length) -> {
            unmapped[1] = unmapped[0] == 0 ? start + at - place : unmapped[1];
            unmapped[0] += length;
          });
    }
    if (unmapped[0] > 0) {
      throw new IllegalArgumentException(
          "elements that no mapping contains cannot be written: elements="
              + unmapped[0]
              + " first="
              + Arrays.toString(coordinates(unmapped[1]))
              + " dataset="
              + sources.path()
              + " file="
              + dataset.file().path());
    }
  }

  private long[] coordinates(long index) {
    long[] at = new long[parts.shape().rank()];
    long rest = index;
    for (int d = at.length - 1; d >= 0; d--) {
      at[d] = rest % parts.shape().extent(d);
      rest /= parts.shape().extent(d);
    }
    return at;
  }
}
