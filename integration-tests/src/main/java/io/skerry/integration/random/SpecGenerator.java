package io.skerry.integration.random;

import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Generates dataset specifications: extent, layout, chunks and filters. */
public final class SpecGenerator {
  private final RandomChoice draw;
  private final boolean foreignFilters;

  public SpecGenerator(RandomChoice draw, boolean foreignFilters) {
    this.draw = draw;
    this.foreignFilters = foreignFilters;
  }

  /** Returns a specification with a random extent and storage, usually with the same datatype. */
  public DatasetSpec any(DatasetSpec plain) {
    Datatype type = plain.datatype();
    if (draw.chance(0.04)) {
      return DatasetSpec.withoutElements(type);
    }
    int rank = draw.pick(List.of(0, 1, 1, 1, 2, 2, 3, 4));
    long[] extent = extent(rank);
    int kind = rank == 0 ? draw.below(4) : draw.below(12);
    if (kind == 0) {
      DatasetSpec compact = at(plain, Shape.of(extent));
      return compact.shape().elements() * type.size() < 4000 ? compact.compact() : compact;
    }
    if (kind < 3) {
      return at(plain, Shape.of(extent)).contiguous();
    }
    if (kind == 3) {
      return at(plain, Shape.of(extent));
    }
    return kind == 11 ? manyChunks(plain) : chunked(plain, extent);
  }

  /** Returns the specification of a scalar dataset whose datatype is committed at a path. */
  public static DatasetSpec shared(Datatype type, String path) {
    return of(DatasetSpec.of(type, Shape.scalar()), Optional.of(path), Shape.scalar());
  }

  private static DatasetSpec at(DatasetSpec plain, Shape shape) {
    return of(plain, plain.committed(), shape);
  }

  private static DatasetSpec of(DatasetSpec plain, Optional<String> committed, Shape shape) {
    return new DatasetSpec(
        plain.datatype(),
        committed,
        shape,
        plain.storage(),
        plain.chunk(),
        plain.access(),
        plain.filters(),
        plain.fill(),
        plain.encoding(),
        plain.attributeOrder(),
        plain.allocation(),
        plain.edges(),
        plain.filling(),
        plain.virtual());
  }

  private long[] extent(int rank) {
    int most = List.of(1, 90, 14, 7, 4).get(rank);
    long[] extent = new long[rank];
    for (int d = 0; d < rank; d++) {
      extent[d] = draw.chance(0.04) ? 0 : draw.between(1, most);
    }
    return extent;
  }

  private DatasetSpec chunked(DatasetSpec plain, long[] extent) {
    int rank = extent.length;
    long[] maximum = new long[rank];
    int kind = draw.below(4);
    for (int d = 0; d < rank; d++) {
      boolean unlimited = kind == 1 && d == 0 || kind == 2 && draw.chance(0.6);
      boolean grows = kind == 3 && draw.chance(0.5);
      maximum[d] = unlimited ? Shape.UNLIMITED : extent[d] + (grows ? draw.between(1, 20) : 0);
    }
    Shape shape = Shape.of(extent, maximum);
    DatasetSpec spec = at(plain, shape);
    if (draw.chance(0.1)) {
      return filtered(spec.chunked(draw.pick(List.of(DatasetSpec.AccessPattern.values()))), 1);
    }
    long[] chunk = new long[rank];
    long elements = 1;
    for (int d = 0; d < rank; d++) {
      long most = maximum[d] == Shape.UNLIMITED ? extent[d] + 3 : Math.max(1, maximum[d]);
      chunk[d] = 1L + draw.below((int) most);
      elements *= chunk[d];
    }
    return filtered(spec.chunked(chunk), elements);
  }

  /**
   * Returns a specification whose chunk index may need pages, several data blocks, or several
   * nodes.
   */
  private DatasetSpec manyChunks(DatasetSpec plain) {
    DatasetSpec spec =
        plain.datatype().size() > 16 ? DatasetSpec.of(Datatype.I16, Shape.of(1)) : plain;
    return switch (draw.below(3)) {
      case 0 -> filtered(at(spec, Shape.of(draw.between(1000, 2600))).chunked(1), 1);
      case 1 ->
          filtered(
              at(spec, Shape.of(new long[] {draw.between(30, 1500)}, new long[] {Shape.UNLIMITED}))
                  .chunked(1),
              1);
      default ->
          filtered(
              at(spec, Shape.of(draw.between(8, 35), draw.between(8, 35)).unlimited(0).unlimited(1))
                  .chunked(1, 1),
              1);
    };
  }

  private DatasetSpec filtered(DatasetSpec spec, long chunkElements) {
    List<FilterSpec> filters = new ArrayList<>();
    Datatype type = spec.datatype();
    boolean number = type instanceof FixedPoint || type instanceof FloatingPoint;
    boolean whole = type instanceof FixedPoint t && t.isWhole();
    // Szip cannot be applied to elements of 3 bytes.
    boolean sampled = number && type.size() != 3;
    if (draw.chance(0.35)) {
      return spec;
    }
    int packed = draw.below(10);
    if (packed == 0 && number) {
      filters.add(Filters.nbit());
    } else if (packed == 1 && whole && !(type instanceof Enumeration)) {
      filters.add(Filters.scaleOffset());
    }
    if (draw.chance(0.5)) {
      filters.add(Filters.shuffle());
    }
    int coder = draw.below(10);
    if (coder < 5) {
      filters.add(Filters.deflate(draw.between(0, 9)));
    } else if (coder == 5 && sampled && filters.isEmpty() && chunkElements >= 8) {
      filters.add(
          Filters.szip(
              draw.chance(0.5) ? Filters.SzipCoding.ENTROPY : Filters.SzipCoding.NEAREST_NEIGHBOR,
              draw.pick(List.of(4, 8))));
    } else if (coder < 8 && foreignFilters) {
      filters.add(Filters.lzf());
    }
    if (draw.chance(0.25)) {
      filters.add(Filters.fletcher32());
    }
    return spec.filters(filters.toArray(FilterSpec[]::new));
  }
}
