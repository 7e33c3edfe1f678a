package io.skerry.internal.dataset.virtual;

import io.skerry.NoSuchObjectException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.through.AbsentSources;
import io.skerry.internal.dataset.through.Coverage;
import io.skerry.internal.dataset.through.MissingSource;
import io.skerry.internal.dataset.through.PackedRuns;
import io.skerry.internal.dataset.through.SourceChange;
import io.skerry.internal.dataset.through.SourcePart;
import io.skerry.internal.dataset.through.SourcePlan;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.Runs;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.PointList;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Assigns the changed elements of a virtual dataset to its sources. If a source is itself virtual,
 * its elements are assigned to its own sources. As in the HDF5 library, elements that several
 * existing sources contain cannot be changed. Local; used once.
 */
final class VirtualRoutes {
  private final VirtualParts parts;
  private final MappingSources sources;
  private final NativeDataset dataset;
  private final SourceChange change;
  private final Selection selection;
  private final Runs wanted;

  /** The positions of the values that are assigned to a part. */
  private final Coverage covered = new Coverage();

  private final List<SourcePart> found = new ArrayList<>();
  private final List<MissingSource> created = new ArrayList<>();
  private final List<NativeDataset> targets = new ArrayList<>();
  private final List<Missing> missing = new ArrayList<>();

  /** A part without a source, and the selected elements in it. */
  private record Missing(Part part, List<Piece> pieces) {}

  /**
   * Creates an instance for one change.
   *
   * @param dataset the virtual dataset
   * @param selection the elements of the virtual dataset
   */
  VirtualRoutes(
      VirtualParts parts,
      MappingSources sources,
      NativeDataset dataset,
      SourceChange change,
      Selection selection) {
    this.parts = parts;
    this.sources = sources;
    this.dataset = dataset;
    this.change = change;
    this.selection = selection;
    this.wanted = wanted(selection, parts.shape());
  }

  /** Returns the source elements to change, later mappings first, and the sources to create. */
  SourcePlan plan() {
    return sources.guarded(() -> {
      parts.forEach(selection, this::part);
      // Overlapping mappings are reported in preference to a source that cannot be changed.
      targets.forEach(change::check);
      if (change.needsSources()) {
        AbsentSources absent =
            new AbsentSources(
                sources.opened(), dataset, parts.index().mappings().entries(), parts.shape());
        missing.forEach(one -> missing(one, absent));
        requireAll();
        created.addAll(absent.found());
      }
      return new SourcePlan(found.reversed(), created);
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

  private void part(Part part) {
    List<Piece> pieces = Piece.of(part.virtual(), parts.shape(), wanted);
    if (pieces.isEmpty()) {
      return;
    }
    Optional<NativeDataset> source = sources.find(part.mapping(), part.block());
    if (source.isEmpty()) {
      missing.add(new Missing(part, pieces));
      return;
    }
    cover(part, pieces);
    add(source.get(), part, pieces);
  }

  private void add(NativeDataset source, Part part, List<Piece> pieces) {
    Selection needed = needed(source.shape(), part.source(source, parts.shape()), pieces);
    PackedRuns.Builder places = new PackedRuns.Builder();
    pieces.forEach(piece -> places.append(piece.place(), piece.length()));
    PackedRuns outer = places.build();
    if (source.opened() instanceof Storage.Virtual(MappedContent nested)) {
      SourcePlan inner = nested.plan(source, needed, change);
      inner.parts().reversed().forEach(some -> found.add(some.within(outer)));
      created.addAll(inner.missing());
    } else {
      targets.add(source);
      found.add(SourcePart.of(source, needed, outer));
    }
  }

  /** Rejects or plans to create a missing source that contains elements with no other source. */
  private void missing(Missing one, AbsentSources absent) {
    Counted lost = new Counted();
    for (Piece piece : one.pieces) {
      covered.forEachGap(piece.place(), piece.place() + piece.length(), lost::add);
    }
    if (lost.count == 0) {
      return;
    }
    if (sources.opened().missing() == FileOptions.MissingSources.REFUSED) {
      throw new NoSuchObjectException(
          "a source of a virtual dataset is missing: source=" + name(one.part),
          sources.path(),
          dataset.file().path().toString(),
          Communicator.RankSet.of(1));
    }
    cover(one.part, one.pieces);
    absent.add(one.part.mapping(), one.part.block());
  }

  /** Returns the source elements of pieces; the points of a point list keep their order. */
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

  private static String name(Part part) {
    return part.mapping().file().name(part.block())
        + ":"
        + part.mapping().dataset().name(part.block());
  }

  /** Assigns elements to a part; refuses elements that are already assigned to another part. */
  private void cover(Part part, List<Piece> pieces) {
    Counted twice = new Counted();
    for (Piece piece : pieces) {
      long end = piece.place() + piece.length();
      long[] at = {piece.place()};
      covered.forEachGap(
          piece.place(),
          end,
          (gap, length) -> {
            twice.add(at[0], gap - at[0]);
            at[0] = gap + length;
          });
      twice.add(at[0], end - at[0]);
    }
    if (twice.count > 0) {
      throw refused("elements that several mappings contain", twice, " source=" + name(part));
    }
    pieces.forEach(piece -> covered.add(piece.place(), piece.place() + piece.length()));
  }

  private void requireAll() {
    Counted unmapped = new Counted();
    for (int i = 0; i < wanted.start().length; i++) {
      long place = wanted.place()[i];
      covered.forEachGap(place, place + wanted.length()[i], unmapped::add);
    }
    if (unmapped.count > 0) {
      throw refused("elements that no mapping contains", unmapped, "");
    }
  }

  /** The number of elements that cannot be changed, and the position of their first value. */
  private static final class Counted {
    private long count;
    private long first;

    void add(long place, long length) {
      if (length > 0) {
        first = count == 0 ? place : first;
        count += length;
      }
    }
  }

  private IllegalArgumentException refused(String what, Counted elements, String source) {
    return new IllegalArgumentException(
        what
            + " cannot be changed: elements="
            + elements.count
            + " first="
            + Arrays.toString(coordinatesOf(elements.first))
            + source
            + " dataset="
            + sources.path()
            + " file="
            + dataset.file().path());
  }

  /** Returns the coordinates of the element whose value is at a position. */
  private long[] coordinatesOf(long place) {
    for (int i = 0; i < wanted.start().length; i++) {
      long after = place - wanted.place()[i];
      if (after >= 0 && after < wanted.length()[i]) {
        return coordinates(wanted.start()[i] + after);
      }
    }
    throw new AssertionError("no element has this value: place=" + place);
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
