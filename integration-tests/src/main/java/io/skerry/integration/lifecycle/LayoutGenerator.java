package io.skerry.integration.lifecycle;

import io.skerry.DatasetSpec;
import io.skerry.DatasetSpec.Storage;
import io.skerry.cache.CacheOptions;
import io.skerry.datatype.Datatype;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.integration.random.FillBytes;
import io.skerry.integration.random.RandomChoice;
import io.skerry.integration.random.ValueGenerator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Generates the storage of datasets and files: index, chunks, filters and memory limits. */
final class LayoutGenerator {
  /**
   * The largest extent of a dimension of a new dataset, indexed by the number of dimensions. It
   * keeps most datasets to a few hundred elements.
   */
  private static final List<Integer> MOST = List.of(0, 150, 14, 7, 4);

  /**
   * The size of a dataset, in bytes, above which a copy that changes the elements divides them
   * among the ranks.
   */
  private static final long ALIKE = 1 << 16;

  private final RandomChoice draw;

  /** The kind of chunk index, which follows from the shape. */
  private enum Index {
    SINGLE,
    FIXED_ARRAY,
    EXTENSIBLE_ARRAY,
    TREE
  }

  /**
   * A dataset to create, with its model.
   *
   * @param spec the specification for the library
   */
  record Drawn(DatasetSpec spec, DatasetModel model) {}

  LayoutGenerator(RandomChoice draw) {
    this.draw = draw;
  }

  Drawn dataset(String path, Datatype type, ValueGenerator values) {
    boolean wide = draw.chance(0.03) && type.size() >= 8;
    Index index = wide ? Index.EXTENSIBLE_ARRAY : draw.pick(List.of(Index.values()));
    int rank = wide ? 1 : draw.between(index == Index.TREE ? 2 : 1, 4);
    long[] extent = new long[rank];
    long[] maximum = new long[rank];
    long[] chunk = new long[rank];
    for (int d = 0; d < rank; d++) {
      extent[d] = draw.chance(0.04) ? 0 : draw.between(1, MOST.get(rank));
      maximum[d] = extent[d] + (draw.chance(0.3) ? draw.between(1, 5) : 0);
      maximum[d] = Math.max(1, maximum[d]);
      chunk[d] = side(maximum[d], rank);
    }
    switch (index) {
      case SINGLE -> chunk = maximum.clone();
      case FIXED_ARRAY -> {}
      case EXTENSIBLE_ARRAY -> maximum[draw.chance(0.3) ? rank - 1 : 0] = Shape.UNLIMITED;
      case TREE -> {
        maximum[0] = Shape.UNLIMITED;
        maximum[draw.between(1, rank - 1)] = Shape.UNLIMITED;
      }
    }
    if (wide) {
      extent[0] = ALIKE / type.size() + draw.between(1, 300);
      chunk[0] = extent[0] / draw.between(5, 15);
    }
    DatasetSpec plain = DatasetSpec.of(type, Shape.of(extent, maximum));
    Storage storage = storage(type);
    DatasetSpec spec =
        switch (storage) {
          case SPARSE -> plain.sparse(chunk);
          case STRUCTURED -> plain.structured(chunk);
          default -> plain.chunked(chunk);
        };
    spec = filtered(spec).encoding(draw.pick(List.of(SelectionEncoding.values())));
    FillContent fill = FillContent.zeros(type);
    if (FillBytes.fits(type) && draw.chance(0.5)) {
      fill = FillContent.of(type, values.value(type));
      spec = spec.fillValue(fill.bytes());
    }
    return new Drawn(spec, new DatasetModel(path, type, storage, extent, maximum, chunk, fill));
  }

  private Storage storage(Datatype type) {
    boolean variable = ValueParts.hasVariable(type);
    return draw.chance(variable ? 0.5 : 0.7)
        ? Storage.SPARSE
        : variable && draw.chance(0.5) ? Storage.STRUCTURED : Storage.DENSE;
  }

  /** Returns a random chunk length that is usually large enough to avoid hundreds of chunks. */
  private long side(long maximum, int rank) {
    long least = Math.max(1, maximum / (rank == 1 ? 20 : rank == 2 ? 5 : 3));
    return draw.chance(0.1) ? maximum : least + draw.below((int) (maximum - least + 1));
  }

  /** Returns a random chunk shape for the copy of a dataset. */
  long[] chunk(DatasetModel dataset) {
    long[] extent = dataset.extent();
    long[] maximum = dataset.maximum();
    long[] chunk = new long[extent.length];
    Arrays.setAll(
        chunk,
        d -> {
          long side = side(Math.max(1, extent[d]), extent.length);
          return maximum[d] == Shape.UNLIMITED ? side : Math.min(side, maximum[d]);
        });
    return chunk;
  }

  private DatasetSpec filtered(DatasetSpec spec) {
    if (draw.chance(0.35)) {
      return spec;
    }
    boolean structured = spec.storage() != Storage.DENSE;
    if (!structured || draw.chance(0.6)) {
      return spec.filters(filters());
    }
    int sections = ValueParts.hasVariable(spec.datatype()) ? 3 : 2;
    DatasetSpec some = spec;
    for (int section = 0; section < sections; section++) {
      some = draw.chance(0.5) ? some.sectionFilters(section, filters()) : some;
    }
    return some;
  }

  /** Returns one or more filters that the independent decoder supports. */
  FilterSpec[] filters() {
    List<FilterSpec> filters = new ArrayList<>();
    if (draw.chance(0.5)) {
      filters.add(Filters.shuffle());
    }
    if (draw.chance(0.7) || filters.isEmpty()) {
      filters.add(Filters.deflate(draw.between(0, 9)));
    }
    if (draw.chance(0.3)) {
      filters.add(Filters.fletcher32());
    }
    return filters.toArray(FilterSpec[]::new);
  }

  /** Returns an extent that is larger in all dimensions that change. */
  long[] extended(DatasetModel dataset) {
    long[] extent = dataset.extent();
    for (int d = 0; d < extent.length; d++) {
      long limit = Math.max(extent[d], MOST.get(extent.length)) + 3L;
      long most = dataset.maximum()[d] == Shape.UNLIMITED ? limit : dataset.maximum()[d];
      if (most > extent[d] && draw.chance(0.7)) {
        extent[d] += draw.between(1, (int) (most - extent[d]));
      }
    }
    return extent;
  }

  /** Returns an extent that is smaller in all dimensions that change. */
  long[] shrunk(DatasetModel dataset) {
    long[] extent = dataset.extent();
    for (int d = 0; d < extent.length; d++) {
      if (draw.chance(0.6)) {
        extent[d] = draw.chance(0.1) ? 0 : Math.max(extent[d] / 3, draw.below((int) extent[d] + 1));
      }
    }
    return extent;
  }

  /** Returns options whose memory limits range from almost nothing to ample. */
  FileOptions options(FormatBounds bounds) {
    return FileOptions.standard()
        .withWorkers(draw.between(1, 2))
        .withDirtyLimit(limit(1, 2000, 10_000))
        .withRoundLimit(limit(1, 200, 2000))
        .withReadLimit(limit(1, 200, 2000))
        .withCache(CacheOptions.standard().withFixedSize(limit(0, 500, 5000)))
        .withAheadLimit(limit(0, 500, 3000))
        .withOverwriting(draw.pick(List.of(FileOptions.Overwriting.values())))
        .withBounds(bounds);
  }

  private long limit(long... tiny) {
    int roll = draw.below(tiny.length + 3);
    return roll < tiny.length ? tiny[roll] : 1 << 26;
  }
}
