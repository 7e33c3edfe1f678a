package io.skerry.format.vds;

import io.skerry.exception.FormatException;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;

/**
 * Limits an unlimited selection of a virtual mapping to its first slices along the unlimited
 * dimension, or to one of its blocks. A selection of the first slices consists of as many blocks as
 * these slices need; the last block may be selected only in part.
 */
public final class UnlimitedPart {
  private final VirtualMapping mapping;
  private final Hyperslab slab;
  private final int dimension;
  private final UnlimitedDimension slices;

  private UnlimitedPart(VirtualMapping mapping, Selection selection, int dimension) {
    this.mapping = mapping;
    this.slab = (Hyperslab) selection;
    this.dimension = dimension;
    this.slices = UnlimitedDimension.of(slab, dimension);
  }

  /**
   * Creates an instance for the virtual selection of a mapping.
   *
   * @param dimension the index of the dimension in which the selection is unlimited
   */
  public static UnlimitedPart ofVirtual(VirtualMapping mapping, int dimension) {
    return new UnlimitedPart(mapping, mapping.virtual(), dimension);
  }

  /**
   * Creates an instance for the source selection of a mapping.
   *
   * @param dimension the index of the dimension in which the selection is unlimited
   */
  public static UnlimitedPart ofSource(VirtualMapping mapping, int dimension) {
    return new UnlimitedPart(mapping, mapping.source(), dimension);
  }

  /** Returns the number of selected slices within an extent of the unlimited dimension. */
  public long slicesWithin(long extent) {
    return slices.within(extent);
  }

  /**
   * Returns the smallest extent of the unlimited dimension that contains the given number of
   * slices; 0 for none.
   *
   * @throws FormatException if it is greater than 2^63-1
   */
  public long extentOf(long count) {
    try {
      return slices.extent(count);
    } catch (ArithmeticException e) {
      throw beyond(count + " slices");
    }
  }

  /**
   * Returns the greatest extent of the unlimited dimension that contains no more than the given
   * number of slices: the index of the next slice.
   *
   * @throws FormatException if it is greater than 2^63-1
   */
  public long extentBefore(long count) {
    try {
      return slices.extentBefore(count);
    } catch (ArithmeticException e) {
      throw beyond(count + " slices");
    }
  }

  private FormatException beyond(String part) {
    String source = mapping.file().text() + ":" + mapping.dataset().text();
    return new FormatException(
        "end of a selection of the mapping to " + source, "at most 2^63-1", part + " of " + slab);
  }

  /**
   * Returns the selection of the first {@code count} slices.
   *
   * @throws FormatException if the last of these slices is beyond 2^63-1
   */
  public Selection first(long count) {
    if (count == 0) {
      return Selection.none();
    }
    long[] extent = new long[slab.dimensions()];
    for (int d = 0; d < extent.length; d++) {
      extent[d] = d == dimension ? extentOf(count) : endAt(d);
    }
    return slab.resolve(Shape.of(extent));
  }

  private long endAt(int d) {
    return slab.startAt(d) + (slab.countAt(d) - 1) * slab.strideAt(d) + slab.blockAt(d);
  }

  /**
   * Returns the selection of a block that begins within the extent of the unlimited dimension.
   *
   * @param number the number of the block, from 0
   * @throws FormatException if the block ends beyond 2^63-1
   */
  public Selection block(long number) {
    long[] start = new long[slab.dimensions()];
    long[] stride = new long[start.length];
    long[] count = new long[start.length];
    long[] block = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      start[d] = slab.startAt(d);
      stride[d] = slab.strideAt(d);
      count[d] = slab.countAt(d);
      block[d] = slab.blockAt(d);
    }
    start[dimension] = startOf(number);
    count[dimension] = 1;
    if (block[dimension] > Long.MAX_VALUE - start[dimension]) {
      throw beyond("block " + number);
    }
    return Selection.at(start).stride(stride).count(count).block(block);
  }

  /**
   * Returns the smallest extent of the unlimited dimension that contains the given number of
   * complete blocks; 0 for none.
   *
   * @throws FormatException if it is greater than 2^63-1
   */
  public long extentOfBlocks(long blocks) {
    if (blocks == 0) {
      return 0;
    }
    try {
      long last = Math.multiplyExact(blocks - 1, slab.strideAt(dimension));
      return Math.addExact(Math.addExact(slab.startAt(dimension), last), slab.blockAt(dimension));
    } catch (ArithmeticException e) {
      throw beyond(blocks + " blocks");
    }
  }

  /**
   * Returns the greatest extent of the unlimited dimension that ends before a block: the index at
   * which the block begins.
   *
   * @throws FormatException if it is greater than 2^63-1
   */
  public long extentBeforeBlock(long number) {
    try {
      long offset = Math.multiplyExact(number, slab.strideAt(dimension));
      return Math.addExact(slab.startAt(dimension), offset);
    } catch (ArithmeticException e) {
      throw beyond("block " + number);
    }
  }

  /** Returns the number of blocks that begin within an extent of the unlimited dimension. */
  public long blocksWithin(long extent) {
    long from = slab.startAt(dimension);
    return extent <= from ? 0 : Math.ceilDiv(extent - from, slab.strideAt(dimension));
  }

  /** Returns the number of blocks that end at or before an index in the unlimited dimension. */
  public long blocksBefore(long index) {
    long offset = index - slab.startAt(dimension);
    long block = slab.blockAt(dimension);
    return block == Shape.UNLIMITED || offset < block
        ? 0
        : (offset - block) / slab.strideAt(dimension) + 1;
  }

  /** Returns the index at which a block begins, which must be within the extent. */
  public long startOf(long block) {
    return slab.startAt(dimension) + block * slab.strideAt(dimension);
  }

  /** Returns the index at which a block that begins within the extent ends; at most 2^63-1. */
  public long endOf(long block) {
    long start = startOf(block);
    long size = slab.blockAt(dimension);
    boolean unbounded = size == Shape.UNLIMITED || size > Long.MAX_VALUE - start;
    return unbounded ? Long.MAX_VALUE : start + size;
  }
}
