package io.skerry.internal.dataset;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.datatype.conversion.ElementParts;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.PackedArrays;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads virtual datasets. The values of each part are read from its source; elements without a
 * source have the fill value. Local.
 */
final class VirtualReader {
  private final VirtualParts parts;
  private final VirtualSources sources;
  private final Shape shape;
  private final Datatype type;
  private final String path;

  /**
   * Creates a reader.
   *
   * @param type the memory datatype, to which the values of each source are converted
   */
  VirtualReader(
      VirtualParts parts, VirtualSources sources, Shape shape, Datatype type, String path) {
    this.parts = parts;
    this.sources = sources;
    this.shape = shape;
    this.type = type;
    this.path = path;
  }

  /**
   * The selected elements.
   *
   * @param once runs that contain each selected element once
   * @param repeated runs with the further occurrences of elements in a list of points
   */
  private record Wanted(Runs once, Runs repeated) {
    static Wanted of(Selection selection, Shape shape) {
      List<long[]> runs = new ArrayList<>();
      long[] packed = {0};
      selection.forEachRun(
          shape,
          (at, length) -> {
            runs.add(new long[] {linear(at, shape), length, packed[0]});
            packed[0] += length;
          });
      runs.sort((a, b) -> Long.compare(a[0], b[0]));
      List<long[]> once = new ArrayList<>();
      List<long[]> repeated = new ArrayList<>();
      long covered = 0;
      for (long[] run : runs) {
        long end = run[0] + run[1];
        long fresh = Math.clamp(covered, run[0], end);
        if (fresh > run[0]) {
          repeated.add(new long[] {run[0], fresh - run[0], run[2]});
        }
        if (fresh < end) {
          once.add(new long[] {fresh, end - fresh, run[2] + fresh - run[0]});
        }
        covered = Math.max(covered, end);
      }
      return new Wanted(Runs.of(once), Runs.of(repeated));
    }
  }

  /**
   * Runs of elements, in the row-major order of the virtual dataset.
   *
   * @param start the row-major index of the first element of each run
   * @param length the number of elements of each run
   * @param place the position of each run in the packed values, in elements
   */
  private record Runs(long[] start, long[] length, long[] place) {
    static Runs of(List<long[]> runs) {
      return new Runs(column(runs, 0), column(runs, 1), column(runs, 2));
    }

    private static long[] column(List<long[]> runs, int which) {
      return runs.stream().mapToLong(run -> run[which]).toArray();
    }

    /** Visits the parts of the runs that are in a range; the runs must not overlap. */
    void forEachWithin(long first, long end, RunAction action) {
      for (int i = from(first); i < start.length && start[i] < end; i++) {
        long begin = Math.max(first, start[i]);
        long stop = Math.min(end, start[i] + length[i]);
        if (begin < stop) {
          action.apply(begin, stop - begin, place[i] + begin - start[i]);
        }
      }
    }

    /** Returns the index of the first run that ends after the given element. */
    private int from(long element) {
      int found = Arrays.binarySearch(start, element);
      int at = found >= 0 ? found : -found - 1;
      return at > 0 && start[at - 1] + length[at - 1] > element ? at - 1 : at;
    }
  }

  /** Processes a run of elements; the parameters are those of {@link Runs}. */
  @FunctionalInterface
  private interface RunAction {
    void apply(long start, long length, long place);
  }

  private static long linear(long[] at, Shape shape) {
    long index = 0;
    for (int d = 0; d < at.length; d++) {
      index = index * shape.extent(d) + at[d];
    }
    return index;
  }

  /**
   * A run of selected elements that are consecutive both in a part and in the packed values.
   *
   * @param number the number of elements of the part before the piece
   * @param place the position of the piece in the packed values, in elements
   * @param length the number of elements
   */
  private record Piece(long number, long place, long length) {}

  /**
   * Reads the selected elements that have a source. The others keep the fill value, which the
   * buffer already contains.
   *
   * @param target the buffer, with one value for each selected element, in selection order
   */
  void read(Selection selection, TypedMemory target) {
    MemorySegment packed = target.values();
    selection.checkWithin(shape);
    Selection resolved = selection.resolve(shape);
    Wanted wanted = Wanted.of(resolved, shape);
    sources.guarded(
        path,
        () -> {
          parts.forEach(shape, resolved, part -> part(part, wanted.once, packed));
          return true;
        });
    repeat(wanted, target);
  }

  /** Copies the values of elements that are selected more than once to their other places. */
  private void repeat(Wanted wanted, TypedMemory target) {
    MemorySegment packed = target.values();
    ElementParts written = target.conversion().written();
    Runs repeated = wanted.repeated;
    for (int i = 0; i < repeated.start.length; i++) {
      long first = repeated.start[i];
      long to = repeated.place[i];
      wanted.once.forEachWithin(
          first,
          first + repeated.length[i],
          (begin, length, place) -> {
            long offset = (to + begin - first) * type.size();
            written.copy(
                packed.asSlice(place * type.size(), length * type.size()),
                packed.asSlice(offset, length * type.size()),
                length);
          });
    }
  }

  private void part(VirtualParts.Part part, Runs wanted, MemorySegment packed) {
    Optional<NativeDataset> found = parts.source(part.mapping(), part.block());
    if (found.isEmpty()) {
      return;
    }
    VirtualParts.checkWithin("virtual", part.virtual(), shape);
    NativeDataset source = found.get();
    Selection from = VirtualParts.source(part, source.shape());
    long count = from.count(source.shape());
    if (count != part.virtual().count(shape)) {
      throw new FormatException(
          "elements of a virtual dataset's source " + source.path(),
          part.virtual().count(shape),
          count);
    }
    if (Elements.leadOutside(source.datatype())) {
      throw new UnsupportedFeatureException("virtual elements of type " + source.datatype(), path);
    }
    List<Piece> pieces = pieces(part.virtual(), wanted);
    if (pieces.isEmpty()) {
      return;
    }
    Selection needed = needed(source, from, pieces);
    if (pieces.size() == 1) {
      Piece only = pieces.getFirst();
      MemorySegment place = packed.asSlice(only.place * type.size(), only.length * type.size());
      source.read(needed, type, _ -> place);
      return;
    }
    MemorySegment values =
        PackedArrays.buffer(pieces.stream().mapToLong(Piece::length).sum(), type);
    if (Conversion.between(source.datatype(), type, source.path()).keepsBackground()) {
      forEach(
          pieces,
          (piece, at, bytes) ->
              MemorySegment.copy(packed, piece.place * type.size(), values, at, bytes));
    }
    source.read(needed, type, _ -> values);
    forEach(
        pieces,
        (piece, at, bytes) ->
            MemorySegment.copy(values, at, packed, piece.place * type.size(), bytes));
  }

  /** Processes a piece whose values begin at the given byte offset of a buffer. */
  @FunctionalInterface
  private interface PieceAction {
    void apply(Piece piece, long at, long bytes);
  }

  private void forEach(List<Piece> pieces, PieceAction action) {
    long at = 0;
    for (Piece piece : pieces) {
      long bytes = piece.length * type.size();
      action.apply(piece, at, bytes);
      at += bytes;
    }
  }

  /** Returns the intersection of a part and the selected elements, in the order of the part. */
  private List<Piece> pieces(Selection virtual, Runs wanted) {
    List<Piece> pieces = new ArrayList<>();
    long[] number = {0};
    virtual.forEachRun(
        shape,
        (at, length) -> {
          long first = linear(at, shape);
          wanted.forEachWithin(
              first,
              first + length,
              (begin, run, place) -> pieces.add(new Piece(number[0] + begin - first, place, run)));
          number[0] += length;
        });
    return pieces;
  }

  /** Returns the source elements of the pieces, one piece after the other. */
  private static Selection needed(NativeDataset source, Selection from, List<Piece> pieces) {
    List<Box> boxes = new ArrayList<>();
    List<Piece> ordered = new ArrayList<>(pieces);
    long total = ordered.stream().mapToLong(Piece::length).sum();
    Shape extent = source.shape();
    Selection needed = from;
    if (total != from.count(extent)) {
      long[] number = {0};
      int[] next = {0};
      from.forEachRun(
          extent,
          (at, length) -> {
            long end = number[0] + length;
            while (next[0] < ordered.size() && ordered.get(next[0]).number < end) {
              Piece piece = ordered.get(next[0]);
              long begin = Math.max(piece.number, number[0]);
              long stop = Math.min(piece.number + piece.length, end);
              boxes.add(box(at, begin - number[0], stop - begin));
              if (piece.number + piece.length > end) {
                break;
              }
              next[0]++;
            }
            number[0] = end;
          });
      needed = Selection.blocks(boxes);
    }
    return needed;
  }

  private static Box box(long[] at, long offset, long length) {
    long[] start = at.clone();
    long[] end = new long[at.length];
    start[at.length - 1] += offset;
    for (int d = 0; d < at.length; d++) {
      end[d] = start[d] + 1;
    }
    end[at.length - 1] = start[at.length - 1] + length;
    return new Box(start, end);
  }
}
