package io.skerry.integration.randomprogram;

import io.skerry.DatasetSpec;
import io.skerry.format.FormatBounds;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A dataset that a program creates.
 *
 * @param path the path
 * @param spec the specification for the library
 * @param element the type of the elements
 * @param fill the fill value
 */
record DatasetPlan(String path, DatasetSpec spec, NumericElement element, long fill) {

  /** The kind of chunk index, which follows from the shape. */
  private enum Kind {
    SINGLE,
    FIXED,
    PAGED,
    EXTENSIBLE,
    SEVERAL,
    FAR;

    boolean isFixed() {
      return this == SINGLE || this == FIXED;
    }
  }

  boolean isSparse() {
    return spec.storage() == DatasetSpec.Storage.SPARSE;
  }

  /**
   * The permitted number of chunks. With tiny memory limits, each chunk requires a separate round.
   */
  enum Crowd {
    FEW_CHUNKS,
    MANY_CHUNKS
  }

  /** The permitted layouts of a dataset. */
  enum Layouts {
    /**
     * Chunked layouts only. Unless chunks are overwritten in place, a flush stores all changes
     * together.
     */
    CHUNKED,
    /** All layouts, including those that are written in place. */
    ALL
  }

  /** Returns whether the layout is neither contiguous nor compact. */
  boolean isChunked() {
    return spec.storage() != DatasetSpec.Storage.CONTIGUOUS
        && spec.storage() != DatasetSpec.Storage.COMPACT;
  }

  private static Kind drawKind(Crowd crowd, RandomGenerator random) {
    int roll = random.nextInt(24);
    if (crowd == Crowd.MANY_CHUNKS && roll < 5) {
      return roll == 0 ? Kind.FAR : Kind.PAGED;
    }
    if (roll < 13) {
      return roll < 7 ? Kind.SINGLE : Kind.FIXED;
    }
    return roll < 19 ? Kind.EXTENSIBLE : Kind.SEVERAL;
  }

  /**
   * Returns a random dataset.
   *
   * @param bounds the format version bounds of the file
   */
  static DatasetPlan draw(
      String path, Crowd crowd, Layouts layouts, FormatBounds bounds, RandomGenerator random) {
    Kind kind = drawKind(crowd, random);
    int rank =
        switch (kind) {
          case FAR -> 1;
          case SEVERAL -> 2 + random.nextInt(2);
          case SINGLE, FIXED, PAGED, EXTENSIBLE -> 1 + random.nextInt(3);
        };
    long[] chunk = new long[rank];
    long[] extent = new long[rank];
    long[] maximum;
    switch (kind) {
      case SINGLE -> {
        Arrays.setAll(chunk, d -> 1 + random.nextInt(rank == 1 ? 300 : 14));
        Arrays.setAll(extent, d -> 1 + random.nextLong(chunk[d]));
        maximum = chunk.clone();
      }
      case FIXED -> {
        Arrays.setAll(chunk, d -> 1 + random.nextInt(rank == 1 ? 60 : 7));
        Arrays.setAll(extent, d -> 1 + random.nextInt(rank == 1 ? 900 : rank == 2 ? 40 : 16));
        maximum = extent.clone();
        maximum[0] += random.nextInt(2) * random.nextInt(30);
      }
      case PAGED -> {
        Arrays.fill(chunk, 1);
        chunk[rank - 1] = 1 + random.nextInt(2);
        Arrays.fill(extent, rank == 1 ? 1500 : rank == 2 ? 45 : 13);
        extent[rank - 1] = extent[rank - 1] * chunk[rank - 1] - random.nextInt(2);
        maximum = extent.clone();
      }
      case EXTENSIBLE -> {
        Arrays.setAll(chunk, d -> 1 + random.nextInt(rank == 1 ? 30 : 5));
        Arrays.setAll(extent, d -> 1 + random.nextInt(rank == 1 ? 400 : rank == 2 ? 30 : 12));
        extent[0] = random.nextInt(5) == 0 ? 0 : extent[0];
        maximum = extent.clone();
        maximum[random.nextInt(4) == 0 ? rank - 1 : 0] = Shape.UNLIMITED;
      }
      case SEVERAL -> {
        Arrays.setAll(chunk, d -> 1 + random.nextInt(3));
        Arrays.setAll(extent, d -> random.nextInt(rank == 2 ? 30 : 12));
        maximum = extent.clone();
        int limited = random.nextInt(2) * random.nextInt(rank);
        for (int d = 0; d < rank; d++) {
          boolean free = rank == 2 || limited == 0 || d != limited;
          maximum[d] = free ? Shape.UNLIMITED : maximum[d] + 3;
        }
      }
      case FAR -> {
        chunk[0] = 1 + random.nextInt(2);
        extent[0] = 1 + random.nextInt(300);
        maximum = new long[] {Shape.UNLIMITED};
      }
      default -> throw new IllegalStateException();
    }
    if (crowd == Crowd.FEW_CHUNKS && kind != Kind.SINGLE) {
      int most = rank == 1 ? 12 : rank == 2 ? 4 : 3;
      Arrays.setAll(chunk, d -> Math.max(chunk[d], extent[d] / most));
    }
    reduce(chunk, Shape.of(extent, maximum));
    NumericElement element =
        NumericElement.values()[random.nextInt(NumericElement.values().length)];
    long fill = random.nextBoolean() ? 0 : 1 + random.nextInt(30_000);
    boolean sparse = random.nextInt(5) < 3;
    DatasetSpec spec = DatasetSpec.of(element.type(), Shape.of(extent, maximum));
    boolean plain = layouts == Layouts.ALL && kind.isFixed() && random.nextInt(4) == 0;
    if (plain && !sparse) {
      spec = plain(DatasetSpec.of(element.type(), Shape.of(extent)), chunk, bounds, random);
    } else {
      spec = FilterGenerator.filtered(sparse ? spec.sparse(chunk) : spec.chunked(chunk), random);
      if (layouts == Layouts.ALL && bounds != FormatBounds.EARLIEST && random.nextInt(5) == 0) {
        spec = spec.edges(DatasetSpec.Edges.UNFILTERED);
      }
    }
    if (fill != 0) {
      spec = spec.fillValue(element.bytes(fill));
    }
    SelectionEncoding[] encodings = SelectionEncoding.values();
    return new DatasetPlan(
        path, spec.encoding(encodings[random.nextInt(encodings.length)]), element, fill);
  }

  /** Reduces a chunk to the fixed extent, as the creation of a dataset requires. */
  private static void reduce(long[] chunk, Shape shape) {
    for (int d = 0; d < chunk.length; d++) {
      if (shape.extent(d) > 0 && shape.maximum(d) != Shape.UNLIMITED) {
        chunk[d] = Math.min(chunk[d], shape.maximum(d));
      }
    }
  }

  /** Returns a specification without filters, for an extent that cannot grow. */
  private static DatasetSpec plain(
      DatasetSpec spec, long[] chunk, FormatBounds bounds, RandomGenerator random) {
    reduce(chunk, spec.shape());
    return switch (random.nextInt(bounds == FormatBounds.EARLIEST ? 2 : 3)) {
      case 0 -> spec.contiguous();
      case 1 -> spec.compact();
      default -> spec.chunked(chunk).allocation(DatasetSpec.Allocation.EARLY);
    };
  }

  /** Returns a random new extent, usually one that is not smaller in any dimension. */
  long[] reshaped(long[] extent, RandomGenerator random) {
    long[] next = grown(extent, random);
    if (random.nextInt(3) == 0) {
      for (int d = 0; d < next.length; d++) {
        next[d] = random.nextBoolean() ? next[d] : random.nextLong(extent[d] + 1);
      }
    }
    return next;
  }

  private long[] grown(long[] extent, RandomGenerator random) {
    long[] grown = extent.clone();
    long[] maximum = spec.shape().maximum();
    for (int d = 0; d < grown.length; d++) {
      if (maximum[d] == Shape.UNLIMITED) {
        boolean far = spec.chunk().length == 1 && spec.chunk()[0] <= 2;
        long step = far && random.nextInt(3) == 0 ? 150_000 : grown.length == 1 ? 120 : 7;
        long limit = grown.length == 1 ? 290_000 : 60;
        grown[d] = Math.min(Math.max(limit, grown[d]), grown[d] + 1 + random.nextLong(step));
      } else if (maximum[d] > grown[d]) {
        grown[d] += random.nextLong(maximum[d] - grown[d] + 1);
      }
    }
    return grown;
  }
}
