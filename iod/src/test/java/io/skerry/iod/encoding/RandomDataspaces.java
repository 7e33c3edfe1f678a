package io.skerry.iod.encoding;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;

/** Random extents with maximum extents, and random selections in them. */
public final class RandomDataspaces {
  private final Random random;

  public RandomDataspaces(Random random) {
    this.random = random;
  }

  public EncodedDataspace next() {
    if (random.nextInt(20) == 0) {
      return EncodedDataspace.withoutElements();
    }
    int rank = random.nextInt(4);
    long[] extent = new long[rank];
    long[] maximum = new long[rank];
    for (int d = 0; d < rank; d++) {
      extent[d] = 1 + random.nextInt(12);
      maximum[d] =
          switch (random.nextInt(3)) {
            case 0 -> extent[d];
            case 1 -> extent[d] + random.nextInt(5);
            default -> Shape.UNLIMITED;
          };
    }
    Selection selection = rank == 0 ? Selection.all() : selection(extent);
    return new EncodedDataspace(Optional.of(Shape.of(extent, maximum)), selection);
  }

  private Selection selection(long[] extent) {
    return switch (random.nextInt(6)) {
      case 0 -> Selection.all();
      case 1 -> Selection.none();
      case 2 -> points(extent);
      case 3 -> pattern(extent);
      case 4 -> block(extent).union(block(extent)).union(block(extent));
      default -> block(extent);
    };
  }

  private Selection points(long[] extent) {
    long[] flat = new long[extent.length * (1 + random.nextInt(5))];
    for (int i = 0; i < flat.length; i++) {
      flat[i] = random.nextLong(extent[i % extent.length]);
    }
    return Selection.points(extent.length, flat);
  }

  private Selection block(long[] extent) {
    long[] start = Arrays.stream(extent).map(random::nextLong).toArray();
    long[] size = new long[extent.length];
    for (int d = 0; d < extent.length; d++) {
      size[d] = 1 + random.nextLong(extent[d] - start[d]);
    }
    return Selection.box(start, size);
  }

  private Selection pattern(long[] extent) {
    long[] block = new long[extent.length];
    long[] stride = new long[extent.length];
    long[] count = new long[extent.length];
    for (int d = 0; d < extent.length; d++) {
      block[d] = 1 + random.nextLong(Math.min(2, extent[d]));
      stride[d] = block[d] + random.nextInt(3);
      count[d] = 1 + random.nextLong(1 + (extent[d] - block[d]) / stride[d]);
    }
    return Selection.at(new long[extent.length]).stride(stride).count(count).block(block);
  }
}
