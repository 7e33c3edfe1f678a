package io.skerry.integration.interop.written;

import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Scripts of dense datasets with every type, rank, index and filter, for other programs. */
final class DenseMatrix {
  /** The number of steps, which end with a flush, a reopen and a close, in this order. */
  static final int STEPS = 3;

  private static final FilterSpec[][] FILTERS = {
    {},
    {Filters.deflate(6)},
    {Filters.shuffle(), Filters.deflate(1)},
    {Filters.fletcher32()},
    {Filters.shuffle(), Filters.deflate(9), Filters.fletcher32()}
  };

  private final int ranks;
  private final Random random;
  private final List<DatasetScript> scripts = new ArrayList<>();

  private DenseMatrix(int ranks, long seed) {
    this.ranks = ranks;
    this.random = new Random(seed);
  }

  static List<DatasetScript> scripts(int ranks, long seed) {
    DenseMatrix matrix = new DenseMatrix(ranks, seed);
    for (int i = 0; i < NumericTypes.ALL.size(); i++) {
      for (String index : List.of("single", "fixed", "extensible")) {
        matrix.small(index, i);
      }
    }
    matrix.many();
    return matrix.scripts;
  }

  /** Adds a dataset of a few chunks, many of which are partial chunks at the edge. */
  private void small(String index, int number) {
    NumericTypes.Named type = NumericTypes.ALL.get(number);
    int rank = 1 + scripts.size() % 4;
    long[] last = new long[rank];
    long[] maximum = new long[rank];
    long[] chunk = new long[rank];
    for (int i = 0; i < rank; i++) {
      last[i] = 2 + random.nextInt(rank == 1 ? 200 : rank == 2 ? 30 : 9);
      chunk[i] = 1 + random.nextInt(1 + (int) last[i] / 2);
      maximum[i] = last[i] + random.nextInt(5);
    }
    List<long[]> extents = new ArrayList<>();
    int grows = random.nextInt(rank);
    for (int step = 0; step < STEPS; step++) {
      long[] extent = last.clone();
      extent[grows] = Math.max(1, last[grows] * (step + 1) / STEPS);
      extents.add(index.equals("single") ? last : extent);
    }
    switch (index) {
      case "single" -> {
        chunk = last;
        maximum = last;
      }
      case "fixed" -> maximum[grows] = last[grows] + 1;
      default -> maximum[grows] = Shape.UNLIMITED;
    }
    DatasetSpec spec =
        spec(type.type(), Shape.of(extents.getFirst(), maximum), chunk, scripts.size() % 5);
    if (number % 2 == 1) {
      byte[] fill = new byte[type.type().size()];
      random.nextBytes(fill);
      spec = spec.fillValue(fill);
    }
    String name = type.dtype().replace('<', 'l').replace('>', 'b');
    String path = "/dense/" + index + "/" + name;
    scripts.add(DatasetScript.random(path, type.dtype(), spec, extents, ranks, random));
  }

  private static DatasetSpec spec(Datatype type, Shape shape, long[] chunk, int filters) {
    return DatasetSpec.of(type, shape).chunked(chunk).filters(FILTERS[filters]);
  }

  /** Adds datasets with enough chunks for pages, super blocks and paged data blocks. */
  private void many() {
    for (int filters : new int[] {0, 2}) {
      String kind = filters == 0 ? "plain" : "filtered";
      Shape flat = Shape.of(6001);
      add("paged_" + kind, flat, new long[] {2}, filters, List.of(new long[] {6001}));
      Shape square = Shape.of(new long[] {70, 140}, new long[] {70, 145});
      long[] tile = {1, 2};
      add("pages_" + kind, square, tile, filters, List.of(new long[] {70, 145}));
      thin("partly_" + kind, Shape.of(50_000), new long[] {10}, filters, 50_000);
      Shape few = Shape.of(3, 9).unlimited(0);
      add("few_" + kind, few, new long[] {3, 2}, filters, grown(9, 9, 9));
      Shape hundreds = Shape.of(new long[] {3, 9}, new long[] {12, Shape.UNLIMITED});
      long[] small = {2, 2};
      add(
          "hundreds_" + kind,
          hundreds,
          small,
          filters,
          List.of(new long[] {3, 9}, new long[] {5, 80}, new long[] {12, 150}));
      thin("holes_" + kind, Shape.of(200_000).unlimited(0), new long[] {1}, filters, 200_000);
    }
    Shape growing = Shape.of(6_000).unlimited(0);
    add("tens_of_thousands", growing, new long[] {4}, 2, lengths(6_000, 12_000, 40_000));
    if (ranks == 2) {
      // Data blocks have pages from chunk 131,056 on.
      Shape most = Shape.of(60_000).unlimited(0);
      add("paged_blocks", most, new long[] {4}, 0, lengths(60_000, 100_001, 530_000));
    }
  }

  private static List<long[]> lengths(long... sizes) {
    return Arrays.stream(sizes).mapToObj(n -> new long[] {n}).toList();
  }

  private static List<long[]> grown(long width, long... rows) {
    return Arrays.stream(rows).mapToObj(r -> new long[] {r, width}).toList();
  }

  /** Adds a dataset that is written completely in each step, its rows divided among the ranks. */
  private void add(String name, Shape shape, long[] chunk, int filters, List<long[]> extents) {
    NumericTypes.Named type = NumericTypes.ALL.get(name.equals("paged_blocks") ? 1 : 3);
    List<DatasetScript.Step> steps = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      long[] extent = extents.get(Math.min(step, extents.size() - 1));
      List<DatasetScript.Part> parts = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        long from = extent[0] * rank / ranks;
        long to = extent[0] * (rank + 1) / ranks;
        long[] start = new long[extent.length];
        long[] end = extent.clone();
        start[0] = from;
        end[0] = to;
        Selection rows =
            from < to ? Selection.blocks(List.of(new Box(start, end))) : Selection.none();
        parts.add(DatasetScript.part(rows, Shape.of(extent), type.type().size(), 5, random));
      }
      steps.add(new DatasetScript.Step(extent, parts, Selection.none()));
    }
    DatasetSpec spec = spec(type.type(), shape, chunk, filters);
    scripts.add(new DatasetScript("/many/" + name, type.dtype(), spec, steps));
  }

  /** Adds a dataset of large extent of which few elements are written. */
  private void thin(String name, Shape shape, long[] chunk, int filters, long size) {
    NumericTypes.Named type = NumericTypes.ALL.get(2);
    List<DatasetScript.Step> steps = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      List<DatasetScript.Part> parts = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        long at = random.nextLong(size - 30);
        Selection place = Selection.at(at).extent(1 + random.nextInt(30));
        parts.add(DatasetScript.part(place, shape, type.type().size(), 5, random));
      }
      steps.add(new DatasetScript.Step(new long[] {size}, parts, Selection.none()));
    }
    DatasetSpec spec = spec(type.type(), shape, chunk, filters).fillValue((byte) 7, (byte) 1);
    scripts.add(new DatasetScript("/many/" + name, type.dtype(), spec, steps));
  }
}
