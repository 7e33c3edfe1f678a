package io.skerry.integration.interop.written;

import io.skerry.DatasetSpec;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Scripts of sparse datasets with every index, filter, encoding, rank and type. */
final class SparseMatrix {
  static final int STEPS = 2;

  private static final List<String> INDEXES =
      List.of("single", "fixed", "fixed_pages", "extensible", "extensible_pages");

  private SparseMatrix() {}

  static List<DatasetScript> scripts(int ranks, long seed) {
    Random random = new Random(seed);
    List<DatasetScript> scripts = new ArrayList<>();
    int number = 0;
    for (String index : INDEXES) {
      for (int filters = 0; filters < 4; filters++) {
        for (SelectionEncoding encoding : SelectionEncoding.values()) {
          DatasetScript script = script(index, filters, encoding, number++, ranks, random);
          // Several ranks write a random half of the datasets, to save time.
          if (ranks == 1 || random.nextBoolean()) {
            scripts.add(script);
          }
        }
      }
    }
    return scripts;
  }

  private static DatasetScript script(
      String index, int filters, SelectionEncoding encoding, int number, int ranks, Random random) {
    NumericTypes.Named type = NumericTypes.ALL.get((number * 7) % NumericTypes.ALL.size());
    int rank = 1 + number % 4;
    boolean paged = index.endsWith("pages");
    long[] last = new long[rank];
    long[] chunk = new long[rank];
    for (int i = 0; i < rank; i++) {
      last[i] = 2 + random.nextInt(rank == 1 ? 300 : rank == 2 ? 30 : 8);
      chunk[i] = 1 + random.nextInt(1 + (int) last[i] / 2);
    }
    if (paged) {
      // Data blocks of extensible arrays have pages from chunk 131,056 on, fixed arrays from 1,024.
      boolean far = rank == 1 && index.startsWith("extensible");
      chunk = last.clone();
      chunk[0] = 1;
      last[0] = far ? 150_000 : 3_000;
    }
    long[] maximum = last.clone();
    long[] first = last.clone();
    switch (index) {
      case "single" -> chunk = last;
      case "extensible", "extensible_pages" -> {
        int grows = paged ? 0 : random.nextInt(rank);
        maximum[grows] = Shape.UNLIMITED;
        first[grows] = (last[grows] + 1) / 2;
      }
      default -> {
        maximum[0] = last[0] + 1;
        first[0] = (last[0] + 1) / 2;
      }
    }
    byte[] fill = new byte[type.type().size()];
    random.nextBytes(fill);
    DatasetSpec spec =
        filtered(
            DatasetSpec.of(type.type(), Shape.of(first, maximum))
                .sparse(chunk)
                .encoding(encoding)
                .fillValue(fill),
            filters);
    String path = "/sparse/" + index + "/" + filters + "/" + encoding;
    return paged
        ? thin(path, type, spec, List.of(first, last), ranks, random)
        : DatasetScript.random(path, type.dtype(), spec, List.of(first, last), ranks, random);
  }

  private static DatasetSpec filtered(DatasetSpec spec, int filters) {
    return switch (filters) {
      case 0 -> spec;
      case 1 -> spec.filters(Filters.shuffle(), Filters.deflate(6));
      case 2 -> spec.filters(Filters.fletcher32());
      default ->
          spec.sectionFilters(0, Filters.deflate(9))
              .sectionFilters(1, Filters.shuffle(), Filters.fletcher32());
    };
  }

  /** Returns a script that writes random points, which leave most chunks without an element. */
  private static DatasetScript thin(
      String path,
      NumericTypes.Named type,
      DatasetSpec spec,
      List<long[]> extents,
      int ranks,
      Random random) {
    List<DatasetScript.Step> steps = new ArrayList<>();
    for (long[] extent : extents) {
      List<DatasetScript.Part> parts = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        Selection points = DatasetScript.points(Shape.of(extent), random);
        parts.add(DatasetScript.part(points, Shape.of(extent), type.type().size(), 256, random));
      }
      steps.add(new DatasetScript.Step(extent, parts, Selection.none()));
    }
    return new DatasetScript(path, type.dtype(), spec, steps);
  }
}
